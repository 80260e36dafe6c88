import { declarePage } from '../../page.ts'
import { DATA_TYPES } from '../../../records/types/data-types.ts'
import { RECORDS_PAGE } from './records.ts'

/** `/model`: the characteristics, with which most people begin. */
export const MODEL_PAGE = declarePage({
  ...RECORDS_PAGE,
  path: '/model',
  show: (visit) => RECORDS_PAGE.show({ ...visit, param: () => DATA_TYPES.characteristic }),
})
