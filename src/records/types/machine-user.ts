import { reportWeakness } from '../weak-secret.ts'
import { declareRecordType } from '../record-type.ts'

export const machineUser = declareRecordType({
  name: 'machineUsers',
  definition: 'MachineUser',
  identity: ['username'],
  secret: 'password',
  secretKind: 'password',
  signsIn: 'machine',
  check({ password }, report) {
    if (password !== undefined) reportWeakness(password, 'password', report)
  },
  reserved: ['operator'],
})
