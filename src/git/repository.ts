/** Parses repository URLs: validates them and separates the credentials. */
import { isAbsolute, win32 } from 'node:path'
import { GitError, withoutCredentials } from './git-error.ts'

export interface GitCredentials {
  /** User name for HTTP Basic; defaults to `x-access-token`, which the large forges accept with a token. */
  username?: string | undefined
  /** A token or password for https. */
  token?: string | undefined
  /** Path of a private key for SSH. */
  sshKeyFile?: string | undefined
  /** Whether SSH may use the keys of the machine's user and of the agent configured by the operator. */
  operatorKeys?: boolean | undefined
}

export interface Repository {
  /** URL without credentials, which may be logged and shown. */
  address: string
  /** The only protocol that git may use. */
  protocol: 'https' | 'http' | 'ssh' | 'file'
  credentials: GitCredentials
}

const SCP_LIKE = /^(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?![/]{2}|:)[^\s\\-][^\s\\]*$/
const SSH_HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/
/** Prefixes that look like a host in `host:path` but are schemes or drive letters of this machine. */
const NO_HOST = /^(?:file|local|bundle|ext|fd|[a-z])$/i

/**
 * Parses a repository URL: `https://…`, `ssh://…` or `git@host:path`; absolute paths and `file://` only with
 * `allowLocal`, for folders named by the operator; `http://` only with `allowHttp`. User name and password in the URL
 * become its credentials. Throws GitError.
 */
export function parseRepository(
  text: string,
  options: { credentials?: GitCredentials | undefined; allowLocal?: boolean; allowHttp?: boolean } = {},
): Repository {
  const { credentials = {}, allowLocal = false, allowHttp = false } = options
  const refuse = (reason: string) =>
    new GitError(
      'repository_invalid',
      `The repository address ${withoutCredentials(text)} is refused: ${reason}.`,
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

/** Returns whether the text is a path on this machine, in any spelling. */
function isLocal(text: string): boolean {
  return isAbsolute(text) || win32.isAbsolute(text) || /^(?:file:|~|\.)/i.test(text)
}

function parseUrl(
  text: string,
  given: GitCredentials,
  allowHttp: boolean,
  refuse: (reason: string) => GitError,
): Repository {
  const url = new URL(text)
  const protocol = url.protocol.slice(0, -1)
  if (url.hostname === '' || url.hostname.startsWith('-')) throw refuse('it names no host')
  if (protocol === 'ssh') {
    if (url.username.startsWith('-') || url.password !== '') throw refuse('ssh takes a key, not a password')
    // Git and ssh may interpret other characters in their own ways.
    if (!SSH_HOST.test(url.hostname) || !/^[\w.-]*$/.test(url.username)) throw refuse('it names no host')
    return { address: text, protocol, credentials: given }
  }
  if (protocol !== 'https' && !(protocol === 'http' && allowHttp)) {
    throw refuse(protocol === 'http' ? 'http is not encrypted; use https' : 'use https or ssh')
  }
  const { username, password } = url
  // Without the trailing dot, in the same way as git's HTTP library looks the host up.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.username = ''
  url.password = ''
  // `https://token@host/…` has the token in place of the user name. Credentials in the URL are for that host only.
  const own: GitCredentials = password
    ? { username: decodeURIComponent(username), token: decodeURIComponent(password) }
    : username
      ? { token: decodeURIComponent(username) }
      : {}
  return { address: url.href, protocol, credentials: own.token ? own : given }
}
