import { GraphQLEnumType } from 'graphql'
import { ROLE_MEANINGS, ROLES } from '../auth/roles.ts'

export const ROLE = new GraphQLEnumType({
  name: 'Role',
  description: 'What an account may do. Each role allows all that those before it allow.',
  values: Object.fromEntries(
    ROLES.map((role) => [role.toUpperCase(), { value: role, description: `Also ${ROLE_MEANINGS[role].allows}.` }]),
  ),
})
