import { isUuid } from '../lib/uuid.ts'

/** The name or id of a tenant in an issuer of Microsoft Entra; null for other issuers. */
export function microsoftTenant({ host, pathname }: URL): string | null {
  const isTheirs = ['login.microsoftonline.com', 'sts.windows.net'].includes(host)
  return isTheirs ? (pathname.split('/')[1] ?? '') : null
}

/** Tells whether an issuer stands for one tenant of Microsoft Entra. */
export function isMicrosoftTenant(issuer: string): boolean {
  return URL.canParse(issuer) && isUuid(microsoftTenant(new URL(issuer)) ?? '')
}
