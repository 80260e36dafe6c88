import { isObject } from '../../../../lib/json.ts'
import type { AccessContext } from '../../access-context.ts'
import { UnreachableError } from './guarded-fetch.ts'
import { descriptionAddress, readDocument } from './provider-document.ts'

/** One check of a provider: its subject, its duration, and the remedy if it failed. */
export interface IssuerStep {
  readonly what: string
  readonly milliseconds: number
  /** The finding, in words. */
  readonly found: string
  /** Null if the check succeeded. */
  readonly remedy: string | null
}

type Found = Pick<IssuerStep, 'found' | 'remedy'>

/**
 * Checks whether people of an OpenID provider could sign in now. The provider must describe itself (OpenID Connect
 * Discovery 1.0, section 4), by the name that its tokens have, and its keys must be readable. The check ends with the
 * first step that fails.
 */
export async function checkIssuer(
  { external }: Pick<AccessContext, 'external'>,
  issuer: string,
): Promise<readonly IssuerStep[]> {
  const steps: IssuerStep[] = []
  let description: { readonly [name: string]: unknown } = {}
  const isDescribed = await step(steps, 'Its description', async () => {
    if (!URL.canParse(issuer)) throw new UnreachableError('the issuer is no address')
    description = await readDocument(external.fetch, descriptionAddress(issuer))
    return well('is there, and can be read')
  })
  if (!isDescribed) return steps
  const isNamed = await step(steps, 'Its name', () => Promise.resolve(nameOf(description, issuer)))
  if (!isNamed) return steps
  await step(steps, 'Its keys', () => keysOf(external, description['jwks_uri']))
  await step(steps, 'Signing in with a browser', () => Promise.resolve(flowOf(description)))
  return steps
}

async function step(steps: IssuerStep[], what: string, look: () => Promise<Found>): Promise<boolean> {
  const start = performance.now()
  const found = await look().catch(failed)
  steps.push({ what, milliseconds: Math.round(performance.now() - start), ...found })
  return found.remedy === null
}

function failed(error: unknown): Found {
  if (error instanceof UnreachableError)
    return {
      found: `cannot be fetched: ${error.message}`,
      remedy:
        'Copy the issuer from the provider, to the last slash; the address of a page of the provider is no issuer.',
    }
  throw error
}

function well(found: string): Found {
  return { found, remedy: null }
}

function nameOf(description: { readonly [name: string]: unknown }, issuer: string): Found {
  if (description['issuer'] === issuer) return well('is the issuer')
  const other = typeof description['issuer'] === 'string' ? description['issuer'] : 'none'
  return { found: `is ${other}`, remedy: `Write ${other} as the issuer, because tokens name it.` }
}

async function keysOf(external: AccessContext['external'], address: unknown): Promise<Found> {
  if (typeof address !== 'string' || !URL.canParse(address))
    return { found: 'are not named', remedy: 'The provider names no jwks_uri, so its signatures cannot be checked.' }
  const { keys } = await readDocument(external.fetch, address)
  const count = Array.isArray(keys) ? keys.filter((key) => isObject(key) && key['kty'] !== 'oct').length : 0
  if (count === 0) return { found: 'are none', remedy: 'The provider publishes no key yet; try again when it does.' }
  return well(count === 1 ? 'is one, and can be read' : `are ${count}, and can be read`)
}

function flowOf(description: { readonly [name: string]: unknown }): Found {
  const isPossible = ['authorization_endpoint', 'token_endpoint'].every((name) => typeof description[name] === 'string')
  return well(isPossible ? 'is possible' : 'is not offered: only programs can bring its tokens')
}
