import { HoldfastError } from '../../lib/errors.ts'
import { isDigest } from '../../lib/digest.ts'
import { didYouMean } from '../../lib/suggest.ts'
import { comparedKey } from '../../records/identity.ts'
import { recordType } from '../../records/registry.ts'
import { ACCESS, isRecordTypeName, PLANNED_TYPE_NAMES, type RecordTypeName } from '../../records/record-type.ts'
import type { Acknowledgement } from '../../records/settings.ts'
import type { GuardCode } from '../plan.ts'

/** Whether a guard belongs to one record, to a whole type, as a row of the scope table, or to the access diff. */
const GUARDS: { readonly [code in GuardCode]: 'record' | 'type' | 'access' } = {
  'deletes-data': 'record',
  'invalidates-data': 'record',
  'relabels-data': 'record',
  'strands-data': 'record',
  'mass-delete': 'type',
  'takes-over': 'type',
  'empties-type': 'type',
  'leaves-scope': 'type',
  'takes-ownership': 'type',
  protected: 'record',
  'widens-access': 'access',
  'overwrites-later': 'record',
}

/** Reads `CODE:type/key`, `CODE:type` and `widens-access:DIGEST`. `option` is the name of the option in error messages. */
export function parseAllow(text: string, option = '--allow'): Acknowledgement {
  const bad = (why: string) => new HoldfastError('BAD_USER_INPUT', `${option} ${JSON.stringify(text)}: ${why}`)
  const [, code = '', type = '', key] = /^([^:]*):([^/]*)(?:\/(.*))?$/s.exec(text) ?? []
  if (type === '') throw bad('write CODE:type/key, or CODE:type for a guard on a whole record type')
  if (!isGuardCode(code)) {
    const codes = Object.keys(GUARDS)
    throw bad(`there is no guard ${JSON.stringify(code)}.${didYouMean(code, codes)} The guards are ${codes.join(', ')}`)
  }
  if (GUARDS[code] === 'access') {
    if (key === undefined && isDigest(type)) return { code, type: ACCESS, digest: type }
    throw bad(`${code} needs the digest that the plan shows: write ${code}:sha256:…`)
  }
  if (!isRecordTypeName(type)) {
    throw bad(`there is no record type ${JSON.stringify(type)}.${didYouMean(type, PLANNED_TYPE_NAMES)}`)
  }
  return acknowledgement(bad, code, type, key)
}

function isGuardCode(code: string): code is GuardCode {
  return Object.hasOwn(GUARDS, code)
}

function acknowledgement(
  bad: (why: string) => HoldfastError,
  code: GuardCode,
  type: RecordTypeName,
  key: string | undefined,
): Acknowledgement {
  if (GUARDS[code] === 'type') {
    if (key !== undefined) throw bad(`${code} is about a whole record type: write ${code}:${type}`)
    return { code, type }
  }
  if (key === undefined || key === '') throw bad(`${code} is about one record: write ${code}:${type}/KEY`)
  return { code, type, key: comparedKey(recordType(type), key) }
}
