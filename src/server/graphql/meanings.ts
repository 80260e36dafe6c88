import type { ClosedSets } from '../../../generated/closed-sets.ts'
import { ROLE_MEANINGS } from '../../auth/roles.ts'

/** The description of a closed set and of each of its members. */
export interface Meanings<Member extends string = string> {
  readonly description: string
  readonly members: { readonly [member in Member]: string | null }
}

/** Descriptions of closed sets for GraphQL. The JSON Schema explains their members in one text for editors. */
const MEANINGS: { readonly [name in keyof ClosedSets]?: Meanings<ClosedSets[name]> } = {
  Role: {
    description: 'What an account may do. Each role includes the roles before it.',
    members: {
      viewer: `Also ${ROLE_MEANINGS.viewer.allows}.`,
      operator: `Also ${ROLE_MEANINGS.operator.allows}.`,
      editor: `Also ${ROLE_MEANINGS.editor.allows}.`,
      administrator: `Also ${ROLE_MEANINGS.administrator.allows}.`,
    },
  },
  GrantType: {
    description: 'A way to obtain tokens (OAuth 2.0).',
    members: {
      AUTHORIZATION_CODE: 'People sign in with a browser.',
      PASSWORD: 'It sends a user name and a password; for machine users and older programs.',
      REFRESH_TOKEN: 'It may continue after people have signed out.',
    },
  },
  GuardCode: {
    description: 'A check that stops a change until somebody acknowledges it.',
    members: {
      'deletes-data': 'Data belongs to the record that would be deleted.',
      'invalidates-data': 'Stored data would no longer be valid.',
      'relabels-data': 'Stored data would be read in another unit.',
      'strands-data': 'Stored data would stay, and new data would be refused.',
      'mass-delete': 'Very many records of one type would be deleted.',
      'takes-over': 'A type that no apply managed before would lose records.',
      'empties-type': 'All records of a type would be deleted.',
      'leaves-scope': 'A type would no longer be managed.',
      'takes-ownership': 'A type belongs to another owner.',
      protected: 'The record is protected in holdfast.yaml.',
      'widens-access': 'Somebody could do more than before.',
      'overwrites-later': 'A rollback would overwrite a later change.',
    },
  },
}

const BY_NAME: ReadonlyMap<string, Meanings> = new Map(
  Object.entries<Meanings | undefined>(MEANINGS).flatMap(([name, meanings]) =>
    meanings === undefined ? [] : [[name, meanings]],
  ),
)

export function meaningsOf(name: string): Meanings | undefined {
  return BY_NAME.get(name)
}
