import type Provider from 'oidc-provider'

/** For so long an interaction is kept, which a page tells people (open-interaction.ts). */
export const INTERACTION_SECONDS = 600

/** The state that oidc-provider keeps while it must ask a person something. */
export type Interaction = InstanceType<Provider['Interaction']>
