import type Provider from 'oidc-provider'

/** What oidc-provider keeps while a person must be asked something. */
export type Interaction = InstanceType<Provider['Interaction']>
