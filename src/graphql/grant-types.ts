import { GraphQLBoolean, GraphQLEnumType, GraphQLInputObjectType, GraphQLObjectType, GraphQLString } from 'graphql'
import type { GraphQLInputType, GraphQLOutputType } from 'graphql'
import { ROLE_MEANINGS, ROLES } from '../auth/roles.ts'
import { definition } from '../records/shape.ts'
import { EVERYONE } from '../records/types/grant.ts'
import type { GrantView, ImpliedGrantView, LostRightView } from './grant-resolvers.ts'
import { pageType } from './page-type.ts'
import { JSON_VALUE, listOf, required, TEXT, TIME, UUID } from './scalars.ts'

export const ROLE = new GraphQLEnumType({
  name: 'Role',
  description: 'What an account may do. Each role allows all that those before it allow.',
  values: Object.fromEntries(
    ROLES.map((role) => [role.toUpperCase(), { value: role, description: `Also ${ROLE_MEANINGS[role].allows}.` }]),
  ),
})

const EVERYONE_TYPE = new GraphQLEnumType({
  name: 'Everyone',
  description: String(definition('Everyone').description),
  values: Object.fromEntries(
    EVERYONE.map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), { value: name }]),
  ),
})

/** As the JSON Schema of `holdfast.yaml` describes the field. */
function described<Type>(name: string, field: string, type: Type): { type: Type; description: string } {
  return { type, description: String(definition(name).properties?.[field]?.description) }
}

function identityFields(claims: typeof JSON_VALUE) {
  return {
    issuer: described('Identities', 'issuer', TEXT),
    clientId: described('Identities', 'clientId', TEXT),
    claims: described('Identities', 'claims', required(claims)),
  }
}

const IDENTITIES_TEXT = String(definition('Identities').description)

const IDENTITIES = new GraphQLObjectType({
  name: 'GrantedIdentities',
  description: IDENTITIES_TEXT,
  fields: identityFields(JSON_VALUE),
})
const IDENTITIES_INPUT = new GraphQLInputObjectType({
  name: 'GrantedIdentitiesInput',
  description: IDENTITIES_TEXT,
  fields: identityFields(JSON_VALUE),
})

/** What a grant is and what one is made from differ in the type of one field. */
function grantFields<Type extends GraphQLInputType | GraphQLOutputType>(identities: Type) {
  return {
    role: described('Grant', 'role', required(ROLE)),
    user: described('Grant', 'user', GraphQLString),
    machineUser: described('Grant', 'machineUser', GraphQLString),
    organization: described('Grant', 'organization', GraphQLString),
    everyone: described('Grant', 'everyone', EVERYONE_TYPE),
    identities: described('Grant', 'identities', identities),
    within: described('Grant', 'within', GraphQLString),
    withinOwnOrganization: described('Grant', 'withinOwnOrganization', GraphQLBoolean),
  }
}

const GRANT_TEXT = String(definition('Grant').description)

export const GRANT = new GraphQLObjectType<GrantView>({
  name: 'Grant',
  description: GRANT_TEXT,
  fields: {
    uuid: { type: UUID, description: 'Identifies the grant.' },
    key: { type: TEXT, description: 'Names the grant, as the plan shows it.' },
    ...grantFields(IDENTITIES),
    createdAt: { type: TIME, description: 'When it was given.' },
  },
})

export const GRANT_INPUT = new GraphQLInputObjectType({
  name: 'GrantInput',
  description: GRANT_TEXT,
  fields: grantFields(IDENTITIES_INPUT),
})

export const GRANT_CONNECTION = pageType(GRANT, 'grant')

export const LOST_RIGHT = new GraphQLObjectType<LostRightView>({
  name: 'LostRight',
  description: 'Somebody who could do more before accounts had roles.',
  fields: {
    who: { type: TEXT, description: 'An account, or people of an authentication method.' },
    what: { type: TEXT, description: 'What they cannot do any more.' },
    advice: { type: TEXT, description: 'What gives it back.' },
  },
})

export const IMPLIED_GRANT = new GraphQLObjectType<ImpliedGrantView>({
  name: 'ImpliedGrant',
  description: 'What somebody may do without a grant of their own, and why.',
  fields: {
    machineUser: { type: GraphQLString, description: 'The user name of the machine user; null: people.' },
    role: { type: ROLE, description: 'The role that counts; null where scopes say it.' },
    scopes: { type: listOf(GraphQLString), description: 'All that they may do, where a rule says it.' },
    reason: { type: TEXT, description: 'Which rule of which authentication method says it, or why else it is so.' },
  },
})
