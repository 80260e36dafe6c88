import type { MachineUser } from '../../../generated/import-document.ts'
import { reportWeakness } from '../weak-secret.ts'
import { declareRecordType } from '../record-type.ts'

export const machineUser = declareRecordType<MachineUser>({
  name: 'machineUsers',
  definition: 'MachineUser',
  identity: ['username'],
  secret: 'password',
  secretKind: 'password',
  signsIn: 'machine',
  check({ password }, report) {
    reportWeakness(password, 'password', report)
  },
  reserved: ['operator'],
})
