import type { Role } from '../../auth/roles.ts'
import type { Right } from '../../auth/scopes.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { BriefPlan } from '../../plan/brief-plan.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Apply } from './target.ts'

// These are the GraphQL operations that the commands use.

/** A plan from another version of the platform, in an unknown format. */
export interface UnreadablePlan {
  readonly formatVersion: unknown
}

export const PLAN = /* GraphQL */ `
  query Plan($document: JSON!, $settings: JSON, $base: JSON, $origin: ApplyOriginInput) {
    planImport(document: $document, settings: $settings, base: $base, origin: $origin) {
      json
      pointers
    }
  }
`

export interface PlanAnswer {
  readonly planImport: {
    readonly json: Plan | UnreadablePlan
    readonly pointers: { readonly [record: string]: string }
  }
}

export const BRIEF_PLAN = /* GraphQL */ `
  query BriefPlan($document: JSON!, $settings: JSON, $base: JSON, $origin: ApplyOriginInput) {
    planImport(document: $document, settings: $settings, base: $base, origin: $origin) {
      brief
    }
  }
`

export interface BriefPlanAnswer {
  readonly planImport: { readonly brief: BriefPlan | UnreadablePlan }
}

export const APPLY = /* GraphQL */ `
  mutation Apply($document: JSON!, $settings: JSON, $plan: JSON!, $origin: ApplyOriginInput) {
    applyImport(document: $document, settings: $settings, plan: $plan, origin: $origin) {
      uuid
      recorded
      at
      planDigest
      summary
    }
  }
`

export interface ApplyAnswer {
  readonly applyImport: Apply
}

export const EXPORT = /* GraphQL */ `
  query Export($types: [RecordType!], $access: Boolean!) {
    importDocument(recordTypes: $types)
    accessDocument @include(if: $access)
  }
`

export interface ExportAnswer {
  readonly importDocument: JsonObject
  readonly accessDocument?: readonly JsonObject[]
}

export const HISTORY = /* GraphQL */ `
  query History($first: Int!) {
    applies(first: $first) {
      nodes {
        uuid
        at
        actor
        planDigest
        summary
        origin
        scope
        rollbackOf
      }
    }
  }
`

export const PAST_APPLY = /* GraphQL */ `
  query PastApply($uuid: ID!) {
    apply(uuid: $uuid) {
      uuid
      at
      actor
      planDigest
      summary
      origin
      scope
      rollbackOf
      changes
    }
  }
`

export const ROLLBACK = /* GraphQL */ `
  query RollbackPlan($apply: ID!, $settings: JSON) {
    rollbackPlan(apply: $apply, settings: $settings) {
      json
      document
    }
  }
`

export interface RollbackAnswer {
  readonly rollbackPlan: { readonly json: Plan | UnreadablePlan; readonly document: JsonObject }
}

export const WHO_AM_I = /* GraphQL */ `
  query WhoAmI {
    currentDomain {
      name
    }
    me {
      name
      scopes
      rights
      roles {
        role
        within
      }
    }
  }
`

export interface WhoAmI {
  readonly currentDomain: { readonly name: string }
  readonly me: {
    readonly name: string
    readonly scopes: readonly string[]
    readonly rights: readonly Right[]
    readonly roles: readonly { readonly role: Uppercase<Role>; readonly within: string | null }[]
  }
}

export const LOST_RIGHTS = /* GraphQL */ `
  query LostRights {
    lostRights {
      who
      what
      advice
    }
  }
`

export interface LostRightsAnswer {
  readonly lostRights: readonly { readonly who: string; readonly what: string; readonly advice: string }[]
}

export const ACCESS_EXPLANATION = /* GraphQL */ `
  query AccessWhy($user: String!, $claims: JSON) {
    accessExplanation(user: $user, claims: $claims) {
      steps {
        about
        passes
        text
      }
      roles {
        role
        within
      }
      rights
      rightsWithin {
        right
        units
      }
    }
  }
`

export interface AccessExplanationAnswer {
  readonly accessExplanation: {
    readonly steps: readonly { readonly about: string; readonly passes: boolean; readonly text: string }[]
    readonly roles: readonly { readonly role: Role; readonly within: string | null }[]
    readonly rights: readonly Right[]
    readonly rightsWithin: readonly { readonly right: Right; readonly units: readonly string[] }[]
  }
}

export const CREATE_PASSWORD_LINK = /* GraphQL */ `
  mutation Invite($email: String!) {
    createPasswordLink(email: $email) {
      path
      expiresAt
    }
  }
`

export interface PasswordLinkAnswer {
  readonly createPasswordLink: { readonly path: string; readonly expiresAt: string }
}

export const ROTATE_SIGNING_KEY = /* GraphQL */ `
  mutation RotateKeys {
    rotateSigningKey {
      kid
      signsFrom
    }
  }
`

export interface RotateAnswer {
  readonly rotateSigningKey: { readonly kid: string; readonly signsFrom: string }
}
