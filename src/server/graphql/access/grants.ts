import { GraphQLBoolean, GraphQLObjectType, GraphQLString } from 'graphql'
import { listImpliedGrants, type ImpliedGrant } from '../../../platform/access/grants/implied-grants.ts'
import { listLostRights, type LostRight } from '../../../platform/access/grants/lost-rights.ts'
import { withoutNulls } from '../../../platform/imports/applying/record-apply.ts'
import { createRecord, deleteRecord } from '../../../platform/records/change-record.ts'
import { listRecords } from '../../../platform/records/read-records.ts'
import { namingsOfRecord } from '../../../records/edges.ts'
import { ACCESS } from '../../../records/record-type.ts'
import { recordType, typeThatSignsIn } from '../../../records/registry.ts'
import { definition } from '../../../records/shape.ts'
import type { StoredRecord } from '../../../store/model/records.ts'
import { checkText } from '../../checked-arguments.ts'
import type { GraphqlContext } from '../call.ts'
import { NODE } from '../edges/kinds.ts'
import { withEdges } from '../edges/to-one.ts'
import { enumType, inputFields } from '../field-types.ts'
import { operation, type OperationFields } from '../operation.ts'
import { checkPageSize, PAGE_ARGUMENTS, pageType, pageView } from '../page.ts'
import { ALLOW } from '../records/inputs.ts'
import { bodyFields, declareRecords } from '../records/types.ts'
import { TEXT, TIME, UUID } from '../scalars.ts'
import { input, list, nonNull, required } from '../typed.ts'

// Grants are records and are written like them. If `holdfast.yaml` has a section `access`, the next plan shows changes
// made here as drift.

const TYPE = recordType(ACCESS)
const { description = '' } = definition(TYPE.definition)
const BODY_FIELDS = bodyFields(TYPE)

const FIELDS = {
  uuid: { type: UUID, description: 'Identifies the grant.' },
  key: { type: TEXT, description: 'Names the grant, as the plan shows it.' },
  ...BODY_FIELDS,
  // The field has a default, but clients rely on a schema in which it can be null.
  withinOwnOrganization: { ...BODY_FIELDS['withinOwnOrganization'], type: GraphQLBoolean },
  createdAt: { type: TIME, description: 'When the role was granted.' },
}

const GRANT = new GraphQLObjectType<StoredRecord, GraphqlContext>({
  name: TYPE.definition,
  description,
  interfaces: [NODE],
  fields: () => withEdges(FIELDS, namingsOfRecord(TYPE)),
})

declareRecords(TYPE, GRANT, false)

const GRANT_INPUT = input(`${TYPE.definition}Input`, description, inputFields(TYPE.definition))

export const ROLE = enumType('Role')

const LOST_RIGHT = new GraphQLObjectType<LostRight>({
  name: 'LostRight',
  description: 'Somebody who could do more before accounts had roles.',
  fields: {
    who: { type: TEXT, description: 'An account, or people of an authentication method.' },
    what: { type: TEXT, description: 'The lost rights.' },
    advice: { type: TEXT, description: 'How to restore the rights.' },
  },
})

const IMPLIED_GRANT = new GraphQLObjectType<ImpliedGrant, GraphqlContext>({
  name: 'ImpliedGrant',
  description: 'Rights that need no grant, and their reason.',
  fields: () =>
    withEdges<ImpliedGrant>(
      {
        machineUser: { type: GraphQLString, description: 'The user name of the machine user; null for people.' },
        role: { type: ROLE, description: 'The role; null if scopes decide the rights.' },
        scopes: { type: nonNull(list(GraphQLString)), description: 'All rights, if a rule lists them.' },
        reason: { type: TEXT, description: 'The rule and authentication method that give it, or another reason.' },
      },
      [{ field: 'machineUser', to: typeThatSignsIn('machine').definition, by: 'part' }],
    ),
})

export const GRANT_QUERIES: OperationFields = {
  grants: operation({
    right: 'model:read',
    type: nonNull(pageType(GRANT, 'grant')),
    description: 'The grants of the domain by key, page by page.',
    args: PAGE_ARGUMENTS,
    async resolve({ context, actor }, args) {
      const { first, after = null } = args
      checkPageSize(first)
      const order = { by: 'KEY', direction: 'ASC' } as const
      return pageView(args, await listRecords(context, actor, ACCESS, { first, after, filter: {}, order }))
    },
  }),
  impliedGrants: operation({
    right: 'model:read',
    type: nonNull(list(IMPLIED_GRANT)),
    description:
      'Rights of accounts without a grant: by rules of authentication methods, and of the operator of the platform.',
    resolve: ({ context }) => listImpliedGrants(context),
  }),
  lostRights: operation({
    right: 'access:admin',
    type: nonNull(list(LOST_RIGHT)),
    description: 'Providers whose people can sign in and do nothing else, and how to give them a role.',
    resolve: ({ context }) => listLostRights(context),
  }),
}

export const GRANT_MUTATIONS: OperationFields = {
  createGrant: operation({
    right: 'access:admin',
    type: nonNull(GRANT),
    description: 'Grants a role to one account or several. It takes effect on their next request.',
    args: { input: required(GRANT_INPUT, 'The role and its holder.'), ...ALLOW },
    async resolve({ context, noteAccessChange }, { input: given, allow }) {
      const created = await createRecord(context, ACCESS, withoutNulls(given), allow ?? [])
      noteAccessChange('grant created', { target: created.uuid })
      return created
    },
  }),
  deleteGrant: operation({
    right: 'access:admin',
    type: nonNull(GRANT),
    description: 'Revokes a grant, and returns it. This takes effect on the next request.',
    args: { key: required(GraphQLString, 'The key of the grant.') },
    async resolve({ context, noteAccessChange }, { key }) {
      const deleted = await deleteRecord(context, ACCESS, checkText(key, 'key'), [])
      noteAccessChange('grant deleted', { target: deleted.uuid })
      return deleted
    },
  }),
}
