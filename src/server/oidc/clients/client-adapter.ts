import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { AccessContext } from '../../../platform/access/access-context.ts'
import { findClientMetadata } from './clients.ts'

/** Clients are records and methods, which the library only reads. */
export class ClientAdapter implements Adapter {
  readonly #context: AccessContext
  readonly #issuer: string
  readonly #secret: string

  constructor(context: AccessContext, issuer: string, secret: string) {
    this.#context = context
    this.#issuer = issuer
    this.#secret = secret
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return findClientMetadata(this.#context, this.#issuer, id, this.#secret)
  }

  findByUid = readOnly
  findByUserCode = readOnly
  upsert = readOnly
  consume = readOnly
  destroy = readOnly
  revokeByGrantId = readOnly
}

function readOnly(): Promise<undefined> {
  return Promise.reject(new Error('clients are not made by signing in'))
}
