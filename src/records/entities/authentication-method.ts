import type { EntityDeclaration } from '../entity.ts'

export const AUTHENTICATION_METHOD = {
  definition: 'DomainAuthenticationMethod',
  table: 'authentication_methods',
  computed: ['advice', 'callbackPath'],
  system: null,
  rights: { read: 'access:admin', write: 'access:admin' },
} as const satisfies EntityDeclaration<'DomainAuthenticationMethod'>
