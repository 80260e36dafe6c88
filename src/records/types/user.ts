import type { User } from '../../../generated/import-document.ts'
import { isObject } from '../../lib/json.ts'
import { declareRecordType } from '../record-type.ts'

export const user = declareRecordType<User>({
  name: 'users',
  definition: 'User',
  identity: ['email'],
  identify: ({ email }) => [email.toLowerCase()],
  metadataEntity: () => 'USER',
  signsIn: 'person',
  references: [{ path: ['organization', 'alias'], type: 'organizations', owner: false }],
  canonical: {
    email: (email) => String(email).toLowerCase(),
    organization: (value) => (isObject(value) && typeof value['alias'] === 'string' ? { alias: value['alias'] } : null),
  },
})
