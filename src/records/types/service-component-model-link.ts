import { declareRecordType } from '../record-type.ts'

export const serviceComponentModelLink = declareRecordType({
  name: 'serviceComponentModelLinks',
  definition: 'ServiceComponentModelLink',
  identity: ['serviceCode', 'componentModelCode'],
  references: [
    { path: ['serviceCode'], type: 'services', owner: true },
    { path: ['componentModelCode'], type: 'componentModels', owner: true },
  ],
  dataOfDeleted: 'stays',
})
