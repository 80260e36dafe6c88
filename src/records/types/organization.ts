import { declareRecordType } from '../record-type.ts'

// A unit has the fields of an organization, so both are nodes of one tree. The key of a unit is its path from the root.

export const organization = declareRecordType({
  name: 'organizations',
  definition: 'Organization',
  identity: ['alias', 'name'],
  identifiedBy: ({ alias }) => [(alias ?? null) === null ? 'name' : 'alias'],
  identify: ({ alias, name }) => [alias ?? name],
  rename: (body, [identity = '']) =>
    typeof body['alias'] === 'string' ? { ...body, alias: identity } : { ...body, name: identity },
  tree: { root: 'organizationUnits', below: 'directChildren' },
  metadataEntity: (depth) => (depth === 0 ? 'ORGANIZATION' : 'ORGANIZATION_UNIT'),
})
