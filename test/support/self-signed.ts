import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

// A certificate for a TLS server of a test (X.509, RFC 5280). So none has to be stored or made by another program.

/** Makes a certificate for a host name or an IPv4 address. It is valid for a day. */
export function selfSigned(host: string): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = certificateBody(host, publicKey)
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ECDSA_WITH_SHA256, der(0x03, [0, ...signature]))
  return { cert: pem('CERTIFICATE', certificate), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const ECDSA_WITH_SHA256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
const COMMON_NAME = objectId([0x55, 0x04, 0x03])
const ALTERNATIVE_NAMES = objectId([0x55, 0x1d, 0x11])

function certificateBody(host: string, publicKey: KeyObject): Uint8Array {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))))
  const now = Date.now()
  const validity = sequence(utcTime(now - 86_400_000), utcTime(now + 86_400_000))
  const isAddress = /^[\d.]+$/.test(host)
  const alternative = isAddress ? der(0x87, host.split('.').map(Number)) : der(0x82, Buffer.from(host))
  const extensions = sequence(sequence(ALTERNATIVE_NAMES, der(0x04, sequence(alternative))))
  return sequence(
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ECDSA_WITH_SHA256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
}

function utcTime(time: number): Uint8Array {
  const digits = new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

function objectId(bytes: readonly number[]): Uint8Array {
  return der(0x06, bytes)
}

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Uint8Array | readonly number[]): Uint8Array {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Uint8Array.from([tag, ...size, ...content])
}

function pem(label: string, bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
