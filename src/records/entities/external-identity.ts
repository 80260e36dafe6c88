import type { EntityDeclaration } from '../entity.ts'

export const EXTERNAL_IDENTITY = {
  definition: 'ExternalIdentity',
  table: 'external_identities',
  columns: { method: 'method_uuid', emailVerified: 'email_verified', firstSeenAt: 'created_at' },
  // The account is a record of the model, or one that no document describes.
  computed: ['account'],
  system: null,
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'ExternalIdentity'>
