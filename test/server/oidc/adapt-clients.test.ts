import { generateKeyPairSync } from 'node:crypto'
import { Provider, type Adapter } from 'oidc-provider'
import { expect, it } from 'vitest'
import { replaceMethods, type ClientClass } from '../../../src/server/oidc/clients/adapt-clients.ts'

// A release of oidc-provider that has other methods than those that are replaced must not pass for this one.

type Plant = (Client: ClientClass) => void

const KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

/** The class of clients of the library that is installed; each provider has its own. */
function clientClass(): ClientClass {
  const provider = new Provider('http://localhost', {
    adapter: () => ({}) as Adapter,
    jwks: { keys: [{ ...KEY, use: 'sig' }] as never },
    features: { devInteractions: { enabled: false } },
  })
  return provider.Client as unknown as ClientClass
}

const adapt = (plant: Plant): void => {
  const Client = clientClass()
  plant(Client)
  replaceMethods(Client, () => Promise.resolve(true))
}

it('the library that is installed can be adapted', () => {
  expect(() => adapt(() => undefined)).not.toThrow()
})

it.each<[string, Plant, RegExp]>([
  [
    'secrets are compared by another method',
    ({ prototype }) => Reflect.deleteProperty(prototype, 'compareClientSecret'),
    /oidc-provider has changed: its method compareClientSecret/,
  ],
  [
    'secrets are compared with something more',
    ({ prototype }) => {
      prototype.compareClientSecret = ((one: string, two: string) => one === two) as () => boolean
    },
    /compareClientSecret/,
  ],
  [
    'addresses are checked by another method',
    ({ Schema }) => Reflect.deleteProperty(Schema.prototype, 'redirectUris'),
    /redirectUris/,
  ],
  [
    'addresses are checked by one more method',
    ({ Schema }) => {
      const { prototype } = Schema as unknown as { readonly prototype: { required(): void } }
      prototype.required = () => {
        throw new Error('redirect_uris must only contain web uris')
      }
    },
    /oidc-provider has changed: it refuses the redirect addresses/,
  ],
  [
    'grant types are asked for by another method',
    ({ prototype }) => Reflect.deleteProperty(prototype, 'grantTypeAllowed'),
    /grantTypeAllowed/,
  ],
])('a library in which %s is refused', (_, plant, message) => {
  expect(() => adapt(plant)).toThrow(message)
})
