import type { EntityDeclaration } from '../entity.ts'

export const SYSTEM_CREDENTIAL = {
  definition: 'SystemCredential',
  table: 'system_credentials',
  columns: { uuid: 'account_uuid' },
  // The username is the key of the account.
  computed: ['username'],
  // Credentials belong to no system here, because only administrators of the whole domain see them.
  system: null,
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'SystemCredential'>
