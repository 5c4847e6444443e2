/** Checks whether subdomains of a domain resolve to this server, before previews use the domain. */
import { randomBytes } from 'node:crypto'
import { get as getOpenly, type IncomingMessage } from 'node:http'
import { get as getSecurely } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { TrialCode, TrialFinding } from '../../../base/api/trial.ts'
import { lookUpAddresses } from '../../../base/net/dns-records.ts'
import { siteOrigin } from '../serve/site-origin.ts'
import { createLabel } from './preview-address.ts'

export interface PreviewDomainTrial {
  /** Problems that would prevent readers from opening previews. */
  faults: TrialFinding[]
  notes: TrialFinding[]
}

export interface PreviewDomainTestInput {
  domain: string
  publicUrl: string
  dnsServers: readonly string[]
}

const REQUEST_TIMEOUT_MS = 8000
const MAX_ANSWER_BYTES = 16 * 1024

/** Never rejects because of the response. Follows no redirects. The host may be in a private network. */
export async function testPreviewDomain({
  domain,
  publicUrl,
  dnsServers,
}: PreviewDomainTestInput): Promise<PreviewDomainTrial> {
  const notes = domainNotes(domain, publicUrl)
  const faulty = (name: PreviewFinding, sentence: string) => ({ faults: [finding(name, sentence)], notes })
  const host = `${createLabel()}.${domain}`
  const found = await lookUpHost(host, dnsServers)
  if (found.kind === 'unanswered')
    return faulty('dns_silent', `DNS could not be queried for names below ${domain} (${found.code}).`)
  if (found.kind === 'none')
    return faulty('no_record', `DNS has no record for names below ${domain}. Add a record for *.${domain}.`)
  const origin = siteOrigin(publicUrl, host)
  const fault = await checkResponse(origin, found.records)
  return { faults: fault === null ? [] : [fault], notes }
}

type PreviewFinding = Extract<TrialCode, `previews.${string}`> extends `previews.${infer Name}` ? Name : never

function finding(name: PreviewFinding, sentence: string): TrialFinding {
  return { code: `previews.${name}`, sentence }
}

function domainNotes(domain: string, publicUrl: string): TrialFinding[] {
  const { hostname } = new URL(publicUrl)
  return hostname.includes('.') && domain.endsWith(`.${hostname}`)
    ? [
        finding(
          'shares_cookies',
          `It is below ${hostname}, the domain of the dashboard, so code in previews can set cookies for it. Use another domain if strangers can open pull requests.`,
        ),
      ]
    : []
}

/** Subdomains of localhost always resolve to the local machine, in browsers too. */
async function lookUpHost(host: string, servers: readonly string[]) {
  if (host.endsWith('.localhost')) return { kind: 'found', records: ['127.0.0.1'] } as const
  return await lookUpAddresses(servers, host)
}

/** Requests an API path to which every Octavo server, and no other server, responds under any host name. */
async function checkResponse(origin: string, addresses: readonly string[]): Promise<TrialFinding | null> {
  const address = `${origin}/_octavo/${randomBytes(8).toString('hex')}`
  try {
    const { status, text } = await sendRequest(address, addresses)
    return status === 404 && isOctavoResponse(text)
      ? null
      : finding(
          'other_server',
          `Another server responds at ${origin} (status ${status}). Point *.${new URL(origin).hostname.replace(/^[^.]+\./, '')} to this server, and forward the Host header.`,
        )
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return finding(
      'unreachable',
      `${origin} cannot be reached from this server (${code ?? message}). Check the domain, the proxy and its certificate.`,
    )
  }
}

function isOctavoResponse(text: string): boolean {
  try {
    const parsed = JSON.parse(text) as { code?: unknown } | null
    return parsed?.code === 'not_found'
  } catch {
    return false
  }
}

async function sendRequest(
  address: string,
  addresses: readonly string[],
): Promise<{ status: number; text: string }> {
  const lookup: LookupFunction = (_name, { all }, done) => {
    const found = addresses.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }))
    const [first] = found
    if (all || first === undefined) done(null, found)
    else done(null, first.address, first.family)
  }
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  const options = { lookup, signal, agent: false as const, headers: { accept: 'application/json' } }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const get = address.startsWith('https:') ? getSecurely : getOpenly
    get(address, options, resolve).on('error', reject)
  })
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response) {
    text += part
    if (text.length > MAX_ANSWER_BYTES) break
  }
  return { status: response.statusCode ?? 0, text }
}
