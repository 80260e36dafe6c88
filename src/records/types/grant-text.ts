import type { Grant, GrantedIdentities } from '../../../generated/settings.ts'
import { plainText } from '../../lib/visible-text.ts'

// These functions describe grants in words. Names come from documents, so they are escaped for display.

type Verb = 'becomes' | 'is no longer' | 'is' | 'stays' | 'would become'

/** `anna@example.com becomes operator within lindenhof`, with a verb of the caller. */
export function grantSentence(grant: Grant, verb: Verb): string {
  return `${subjectText(grant)} ${verb} ${grant.role}${withinText(grant)}`
}

export function subjectText({ user, machineUser, organization, everyone, identities }: Grant): string {
  if (user !== undefined) return shown(user)
  if (machineUser !== undefined) return `machine user ${shown(machineUser)}`
  if (organization !== undefined) return `everyone of ${shown(organization)}`
  if (everyone !== undefined) return `everyone among ${everyone === 'users' ? 'users' : 'machine users'}`
  return identities === undefined ? 'nobody' : identitiesText(identities)
}

function identitiesText({ issuer, clientId, claims }: GrantedIdentities): string {
  const wanted = Object.entries(claims).map(
    ([claim, values]) =>
      `${shown(claim)} ${[values]
        .flat()
        .map((value) => shown(String(value)))
        .join(' or ')}`,
  )
  return `everyone with ${wanted.join(' and ')} at ${shown(issuer)} (client ${shown(clientId)})`
}

/** The unit in which the role counts; an empty text for the whole domain. */
function withinText({ within, withinOwnOrganization }: Grant): string {
  if (withinOwnOrganization === true) return ' within the own organization'
  return within === undefined ? '' : ` within ${shown(within)}`
}

const LONGEST = 200

function shown(name: string): string {
  const text = plainText(name)
  const characters = [...text]
  return characters.length <= LONGEST
    ? text
    : `${characters.slice(0, LONGEST).join('')}… (${characters.length} characters)`
}
