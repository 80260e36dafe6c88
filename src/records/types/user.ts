import { domainOf, isNormal } from '../../auth/email-address.ts'
import { isObject } from '../../lib/json.ts'
import { declareRecordType, type RecordBody } from '../record-type.ts'

export const user = declareRecordType({
  name: 'users',
  definition: 'User',
  identity: ['email'],
  identify: ({ email }) => [comparedEmail(email)],
  comparedPart: comparedEmail,
  metadataEntity: () => 'USER',
  signsIn: 'person',
  references: [{ path: ['organization', 'alias'], type: 'organizations', owner: false }],
  check({ email }, report) {
    if (email === undefined) return
    if (!domainOf(email).includes('.'))
      report(
        'warning',
        'address-without-dot',
        ['email'],
        `${JSON.stringify(email)} has a host without a dot, which mail from elsewhere does not reach; is it a typing mistake?`,
      )
    if (isNormal(email)) return
    const plain = email.normalize('NFKC')
    const message = `${JSON.stringify(email)} contains characters that look like others; write ${JSON.stringify(plain)}`
    report('error', 'look-alike-address', ['email'], message)
  },
  canonical: {
    email: (email) => comparedEmail(String(email)),
    organization: (value) => (isObject(value) && typeof value['alias'] === 'string' ? { alias: value['alias'] } : null),
  },
})

function comparedEmail(email: string): string {
  return email.toLowerCase()
}

/** The alias of the organization that a user belongs to; null if there is none. */
export function organizationOf(body: RecordBody): string | null {
  const organization = body['organization']
  const alias = isObject(organization) ? organization['alias'] : null
  return typeof alias === 'string' ? alias : null
}
