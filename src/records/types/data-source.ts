import { declareRecordType } from '../record-type.ts'

export const dataSource = declareRecordType({
  name: 'dataSources',
  definition: 'DataSource',
  identity: ['code'],
})
