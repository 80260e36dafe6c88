import { declareRecordType } from '../record-type.ts'

export const service = declareRecordType({
  name: 'services',
  definition: 'Service',
  identity: ['code'],
  metadataEntity: () => 'SERVICE',
  takesData: true,
  embedded: [
    {
      field: 'characteristics',
      into: 'characteristicServiceLinks',
      ownerField: 'serviceCode',
      toRecord: (owner, { code, ...link }) => ({
        ...link,
        characteristicCode: code ?? null,
        serviceCode: owner['code'] ?? null,
      }),
    },
  ],
})
