import type { DataSource } from '../../../generated/import-document.ts'
import { declareRecordType } from '../record-type.ts'

export const dataSource = declareRecordType<DataSource>({
  name: 'dataSources',
  definition: 'DataSource',
  identity: ['code'],
})
