/** The address of a repository: what is allowed in one, and its credentials kept apart from it. */
import { isAbsolute, win32 } from 'node:path'
import { GitError, withoutCredentials } from './git-error.ts'

export interface GitCredentials {
  /** Sent as HTTP Basic; `x-access-token` by default, which the large forges accept beside a token. */
  username?: string | undefined
  /** A token or password for https. */
  token?: string | undefined
  /** Path of a private key for ssh. */
  sshKeyFile?: string | undefined
  /** Whether ssh may show the keys of the machine's user and of the agent that the operator has set up. */
  operatorKeys?: boolean | undefined
}

export interface Repository {
  /** Without credentials: may be logged and shown. */
  address: string
  /** The one protocol that git may use for it. */
  protocol: 'https' | 'http' | 'ssh' | 'file'
  credentials: GitCredentials
}

const SCP_LIKE = /^(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?![/]{2}|:)[^\s\\-][^\s\\]*$/
const SSH_HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/
/** What looks like an address of a host, and is the machine's own: names of schemes, letters of drives. */
const NO_HOST = /^(?:file|local|bundle|ext|fd|[a-z])$/i

/**
 * `https://…`, `ssh://…`, `git@host:path`; absolute paths and `file://` only when the operator named a folder of this
 * machine, `http://` only when asked for. A name and password in the address become its credentials. Throws GitError.
 */
export function parseRepository(
  text: string,
  options: { credentials?: GitCredentials | undefined; allowLocal?: boolean; allowHttp?: boolean } = {},
): Repository {
  const { credentials = {}, allowLocal = false, allowHttp = false } = options
  const refuse = (why: string) =>
    new GitError(
      'repository_invalid',
      `The repository address ${withoutCredentials(text)} is refused: ${why}.`,
    )
  if (/[\p{Cc}\s]/u.test(text) && !isAbsolute(text)) throw refuse('it has a space or a line break in it')
  if (text.includes('\0') || text.includes('\n')) throw refuse('it has a line break in it')
  if (isLocal(text)) {
    if (!allowLocal)
      throw refuse(
        'it is a folder of the machine that Octavo runs on: name that by its path, on its command line',
      )
    return { address: text, protocol: 'file', credentials: {} }
  }
  if (URL.canParse(text) && text.includes('://')) return parseUrl(text, credentials, allowHttp, refuse)
  const host = SCP_LIKE.exec(text)?.[2]
  if (host !== undefined && SSH_HOST.test(host) && !NO_HOST.test(host) && !text.includes('::'))
    return { address: text, protocol: 'ssh', credentials }
  throw refuse('use https://host/path or git@host:path')
}

/** A path of this machine, however it is spelled. */
function isLocal(text: string): boolean {
  return isAbsolute(text) || win32.isAbsolute(text) || /^(?:file:|~|\.)/i.test(text)
}

function parseUrl(
  text: string,
  given: GitCredentials,
  allowHttp: boolean,
  refuse: (why: string) => GitError,
): Repository {
  const url = new URL(text)
  const protocol = url.protocol.slice(0, -1)
  if (url.hostname === '' || url.hostname.startsWith('-')) throw refuse('it names no host')
  if (protocol === 'ssh') {
    if (url.username.startsWith('-') || url.password !== '') throw refuse('ssh takes a key, not a password')
    // Git and ssh would read other signs in their own ways.
    if (!SSH_HOST.test(url.hostname) || !/^[\w.-]*$/.test(url.username)) throw refuse('it names no host')
    return { address: text, protocol, credentials: given }
  }
  if (protocol !== 'https' && !(protocol === 'http' && allowHttp)) {
    throw refuse(protocol === 'http' ? 'http is not encrypted; use https' : 'use https or ssh')
  }
  const { username, password } = url
  // As git's library would look it up.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.username = ''
  url.password = ''
  // `https://token@host/…` has the token in the place of the name. What stands in the address is meant for it alone.
  const own: GitCredentials = password
    ? { username: decodeURIComponent(username), token: decodeURIComponent(password) }
    : username
      ? { token: decodeURIComponent(username) }
      : {}
  return { address: url.href, protocol, credentials: own.token ? own : given }
}
