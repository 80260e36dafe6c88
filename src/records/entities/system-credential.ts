import { declareEntity } from '../entity.ts'

export const SYSTEM_CREDENTIAL = declareEntity({
  definition: 'SystemCredential',
  table: 'system_credentials',
  columns: { uuid: 'account_uuid' },
  // It is the key of the account.
  computed: ['username'],
  // Only who administers the whole domain sees it.
  system: null,
  rights: { read: 'access:admin', write: 'access:admin' },
})
