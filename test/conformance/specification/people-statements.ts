import type { JsonObject } from '../../../src/lib/json.ts'
import { imports, refused, TAKEN, takenWith } from './sent.ts'
import { section, type Statement } from './statement.ts'

// Section 2: applications, machine users, organizations and users, beyond their fields.

const consumer = (fields: JsonObject): JsonObject => ({
  applicationConsumers: [
    { name: 'A', slug: 'a', secret: 'a-secret-that-nobody-guesses-7', grantTypes: ['PASSWORD'], ...fields },
  ],
})

function nested(depth: number): JsonObject {
  return depth === 0 ? { name: 'U' } : { name: 'U', directChildren: [nested(depth - 1)] }
}

export const PEOPLE_STATEMENTS: readonly Statement[] = [
  ...section('2 MachineUser', [
    'username is any string',
    imports({ machineUsers: [{ username: 'operator', password: 'a-secret-that-nobody-guesses-7' }] }),
    { outcome: 'refused', errors: [{ code: 'reserved-key' }] },
    'The platform reserves the machine user `operator` and the application `holdfast-cli`, so that the operator can always sign in.',
  ]),
  ...section(
    '2 ApplicationConsumer',
    [
      'an empty name, slug or secret is a string too',
      imports(consumer({ name: '' })),
      { outcome: 'refused' },
      'An empty slug identifies nothing, and an empty secret protects nothing. The same holds for all keys and secrets, for names in questions for consent, and for names of organizations and units. All other names may be empty.',
    ],
    [
      'AUTHORIZATION_CODE needs no redirect URI',
      imports(consumer({ grantTypes: ['AUTHORIZATION_CODE'] })),
      takenWith('redirect-uri-missing'),
    ],
    [
      'a redirect URI is any URI',
      imports(
        consumer({
          redirectUris: [
            'https://app.example/#there',
            'http://app.example/',
            'javascript:alert(1)',
            'https://*.example.com/',
            'app:/there',
          ],
        }),
      ),
      {
        outcome: 'refused',
        errors: [0, 1, 2, 3, 4].map((index) => ({
          code: 'redirect-uri',
          pointer: `/applicationConsumers/0/redirectUris/${index}`,
        })),
      },
      'Holdfast sends codes there, so it is https, http of the same machine, or an app scheme with a dot (RFC 8252, section 7; RFC 9700, section 2.1). It has no fragment (RFC 6749, section 3.1.2) and no wildcard.',
    ],
    [
      'a list of strings may have one twice, and be empty',
      imports(consumer({ grantTypes: [], scopes: ['email', 'email'] })),
      takenWith('no-grant-types', 'repeated-entry'),
    ],
    [
      'a slug is any string',
      imports(consumer({ slug: 'My App/ü' })),
      refused('slug-characters', '/applicationConsumers/0/slug'),
      'The client_id is `<slug>.<suffix>`, and OAuth allows only ASCII there (RFC 6749, appendix A.1). Every library sends letters, digits and `. _ ~ -` in the same form.',
    ],
    [
      'a secret is any string',
      imports(consumer({ secret: 'pässwörter-sind-geheim' })),
      refused('secret-characters', '/applicationConsumers/0/secret'),
      'OAuth allows only ASCII (RFC 6749, appendix A.2). Libraries send the secret by Basic, and a request with other characters would fail without a reason.',
    ],
  ),
  ...section(
    '2 Organization',
    [
      'two organizations may have the same name',
      imports({ organizations: [{ name: 'A' }, { name: 'A' }] }),
      { outcome: 'refused', errors: [{ code: 'duplicate-identity' }] },
      'Without an alias, only the name distinguishes two organizations. Two of the same name need an alias each.',
    ],
    [
      'two units of one organization may have the same name',
      imports({ organizations: [{ name: 'A', organizationUnits: [{ name: 'U' }, { name: 'U' }] }] }),
      refused('duplicate-identity', '/organizations/0/organizationUnits/1'),
      'Without an alias, the name is the last part of the path that identifies a unit.',
    ],
    [
      'two of one name, each with an alias',
      imports({
        organizations: [
          { name: 'A', alias: 'a' },
          { name: 'A', alias: 'b' },
        ],
      }),
      TAKEN,
    ],
    ['units are nested', imports({ organizations: [{ name: 'A', organizationUnits: [nested(46)] }] }), TAKEN],
    [
      'units are nested to any depth',
      imports({ organizations: [{ name: 'A', organizationUnits: [nested(48)] }] }),
      refused('nested-too-deeply'),
      'A document has at most 100 nested brackets, which is 48 units, so that no document exhausts the stack.',
    ],
  ),
  ...section(
    '2 User',
    [
      'an organization is named by its alias',
      imports({
        organizations: [{ name: 'Acme', alias: 'acme' }],
        users: [{ email: 'ann@example.org', organization: { alias: 'acme' } }],
      }),
      { outcome: 'taken', changes: { 1: { after: { organization: { alias: 'acme' } } } } },
    ],
    [
      'email is any address of RFC 5321',
      imports({ users: ['"a b"@x.example', 'a@[127.0.0.1]', 'ann@exａmple.org'].map((email) => ({ email })) }),
      {
        outcome: 'refused',
        errors: [0, 1, 2].map((index) => ({ pointer: `/users/${index}/email` })),
      },
      'People sign in by their address, so it has the form that all programs read alike: no quotes, no IP address as host, no characters that look like others.',
    ],
    [
      'an e-mail address of a host without a dot is one',
      imports({ users: [{ email: 'ann@localhost' }] }),
      takenWith('address-without-dot'),
    ],
  ),
]
