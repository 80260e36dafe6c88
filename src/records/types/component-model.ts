import { declareRecordType } from '../record-type.ts'

export const componentModel = declareRecordType({
  name: 'componentModels',
  definition: 'ComponentModel',
  identity: ['code'],
  metadataEntity: () => 'COMPONENT_MODEL',
  takesData: true,
  embedded: [
    {
      field: 'services',
      into: 'serviceComponentModelLinks',
      ownerField: 'componentModelCode',
      toRecord: (owner, { code, ...link }) => ({
        ...link,
        serviceCode: code ?? null,
        componentModelCode: owner['code'] ?? null,
      }),
    },
  ],
})
