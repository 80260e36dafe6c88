import type { MachineUser } from '../../../generated/import-document.ts'
import { declareRecordType } from '../record-type.ts'

export const machineUser = declareRecordType<MachineUser>({
  name: 'machineUsers',
  definition: 'MachineUser',
  identity: ['username'],
  secret: 'password',
  secretKind: 'password',
  signsIn: 'machine',
  reserved: ['operator'],
})
