/** Creates and checks the challenge by which an organization proves that it controls a domain. */

import { hashParts } from '../../../base/hash.ts'
import type { TxtAnswer, TxtLookup } from '../../../base/net/dns-records.ts'
import { type GuardedFetch, GuardedFetchError } from '../../../base/net/guarded-fetch.ts'
import type { ProjectDomain } from '../operations/domains.ts'

export type DomainChallenge = Pick<ProjectDomain, 'record' | 'file'>

/**
 * Returns the challenge for an organization and a domain; one permanent record serves all projects of the
 * organization. The challenge is not secret, because only somebody in control of the domain can publish it.
 * The file's content is not in its URL, because many servers repeat the URL in their responses.
 */
export function domainChallenge(organizationId: string, domain: string): DomainChallenge {
  const digest = hashParts('octavo domain', organizationId, domain)
  const value = `octavo-domain=${digest.slice(32)}`
  return {
    record: { name: `_octavo-challenge.${domain}`, value },
    file: {
      url: `https://${domain}/.well-known/octavo-challenge/${digest.slice(0, 32)}`,
      content: value,
    },
  }
}

export type ProofCheck =
  | { kind: 'proved'; proof: 'dns' | 'file' }
  /** `isAnswered` means that DNS has confirmed the absence of the record. */
  | { kind: 'missing'; isAnswered: boolean; reason: string }

export interface ProofCheckDeps {
  guardedFetch: GuardedFetch
  lookUpTxt: TxtLookup
}

const FILE_TIMEOUT_MS = 8000
/** Maximum size of the response; the expected content is far shorter. */
const MAX_FILE_BYTES = 1024

/** Takes at most 16 seconds. */
export async function checkProof(
  deps: ProofCheckDeps,
  { record, file }: DomainChallenge,
  signal?: AbortSignal,
): Promise<ProofCheck> {
  const answer = await deps.lookUpTxt(record.name)
  if (answer.kind === 'found' && answer.texts.some((text) => text.trim() === record.value))
    return { kind: 'proved', proof: 'dns' }
  const addresses = [file.url, file.url.replace(/^https:/, 'http:')]
  const faults = await Promise.all(
    addresses.map((url) => describeProofFileFault(deps.guardedFetch, { url, content: file.content }, signal)),
  )
  signal?.throwIfAborted()
  if (faults.includes(null)) return { kind: 'proved', proof: 'file' }
  const [https, http] = faults
  const files = https === http ? `The file: ${https}` : `The file over https: ${https} Over http: ${http}`
  return {
    kind: 'missing',
    isAnswered: answer.kind !== 'unanswered',
    reason: `${describeTxtRecordFault(record.name, answer)} ${files}`,
  }
}

function describeTxtRecordFault(name: string, answer: TxtAnswer): string {
  switch (answer.kind) {
    case 'found':
      return `The TXT record ${name} has a different value.`
    case 'none':
      return `There is no TXT record ${name}.`
    case 'unanswered':
      return `DNS did not respond for ${name} (${answer.code}).`
  }
}

/** Returns null if the file is correct. Follows no redirects, because their target may belong to another party. */
async function describeProofFileFault(
  guardedFetch: GuardedFetch,
  { url, content }: DomainChallenge['file'],
  signal: AbortSignal | undefined,
): Promise<string | null> {
  try {
    const { status, body } = await guardedFetch.fetch(url, {
      timeoutMs: FILE_TIMEOUT_MS,
      maxBytes: MAX_FILE_BYTES,
      onLarger: 'cut',
      maxRedirects: 0,
      ...(signal === undefined ? {} : { signal }),
    })
    if (status !== 200) return `The response is ${status}.`
    return Buffer.from(body).toString().trim() === content ? null : 'It has different content.'
  } catch (error) {
    if (error instanceof GuardedFetchError) return error.message
    if (signal?.aborted) return 'The check was not completed.'
    throw error
  }
}
