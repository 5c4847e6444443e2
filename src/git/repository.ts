/** Parses and validates repository URLs, and separates the credentials. */
import { isAbsolute, win32 } from 'node:path'
import { createFault, type DetailErrorCode, type Fault } from '../base/errors/fault.ts'
import { GitError, withoutCredentials } from './git-error.ts'

export interface GitCredentials {
  /** User name for HTTP Basic; defaults to `x-access-token`, which the large forges accept with a token. */
  username?: string | undefined
  token?: string | undefined
  sshKeyFile?: string | undefined
  /** Whether SSH may use the operator's keys and SSH agent. */
  operatorKeys?: boolean | undefined
}

export interface Repository {
  /** URL without credentials, safe for logs and messages. */
  address: string
  /** Git is restricted to this protocol. */
  protocol: 'https' | 'http' | 'ssh' | 'file'
  credentials: GitCredentials
}

const SCP_LIKE = /^(?:([A-Za-z0-9_][\w.-]*)@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?![/]{2}|:)[^\s\\-][^\s\\]*$/
const SSH_HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/
/** Prefixes in `host:path` that are schemes or drive letters instead of host names. */
const NON_HOST_PREFIX = /^(?:file|local|bundle|ext|fd|[a-z])$/i

type UrlErrorCode = Extract<DetailErrorCode, `git_url_${string}`>
type Refuse = (code: UrlErrorCode) => RepositoryUrlError

/** Error in the repository URL, found before contacting the server. */
export class RepositoryUrlError extends GitError {
  readonly fault: Fault

  constructor(code: UrlErrorCode, url: string) {
    const fault = createFault(code, { url })
    super('repository_invalid', `${fault.message}.`)
    this.fault = fault
  }
}

/**
 * Parses a repository URL: `https://…`, `ssh://…` or `git@host:path`. Absolute paths and `file://` require
 * `allowLocal`, for folders named by the operator; `http://` requires `allowHttp`. User name and password in
 * the URL become its credentials. Throws GitError.
 */
export function parseRepository(
  text: string,
  options: { credentials?: GitCredentials | undefined; allowLocal?: boolean; allowHttp?: boolean } = {},
): Repository {
  const { credentials = {}, allowLocal = false, allowHttp = false } = options
  const refuse: Refuse = (code) => new RepositoryUrlError(code, withoutCredentials(text))
  if (/[\p{Cc}\s]/u.test(text) && !isAbsolute(text)) throw refuse('git_url_space')
  if (text.includes('\0') || text.includes('\n')) throw refuse('git_url_space')
  if (isLocal(text)) {
    if (!allowLocal) throw refuse('git_url_local')
    return { address: text, protocol: 'file', credentials: {} }
  }
  if (URL.canParse(text) && text.includes('://')) return parseUrl(text, credentials, allowHttp, refuse)
  const host = SCP_LIKE.exec(text)?.[2]
  if (host !== undefined && SSH_HOST.test(host) && !NON_HOST_PREFIX.test(host) && !text.includes('::'))
    return { address: text, protocol: 'ssh', credentials }
  throw refuse('git_url_form')
}

function isLocal(text: string): boolean {
  return isAbsolute(text) || win32.isAbsolute(text) || /^(?:file:|~|\.)/i.test(text)
}

function parseUrl(text: string, given: GitCredentials, allowHttp: boolean, refuse: Refuse): Repository {
  const url = new URL(text)
  const protocol = url.protocol.slice(0, -1)
  if (url.hostname === '' || url.hostname.startsWith('-')) throw refuse('git_url_host')
  if (protocol === 'ssh') {
    if (url.username.startsWith('-') || url.password !== '') throw refuse('git_url_password')
    // Other characters could be interpreted as options or syntax by git and ssh.
    if (!SSH_HOST.test(url.hostname) || !/^[\w.-]*$/.test(url.username)) throw refuse('git_url_host')
    return { address: text, protocol, credentials: given }
  }
  if (protocol !== 'https' && !(protocol === 'http' && allowHttp)) {
    throw refuse(protocol === 'http' ? 'git_url_http' : 'git_url_scheme')
  }
  const { username, password } = url
  // curl, which git uses for HTTP, also removes the trailing dot before resolving the host.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.username = ''
  url.password = ''
  // In `https://token@host/…`, the user name is the token. Credentials in the URL apply to this host only.
  const own: GitCredentials = password
    ? { username: decodeURIComponent(username), token: decodeURIComponent(password) }
    : username
      ? { token: decodeURIComponent(username) }
      : {}
  return { address: url.href, protocol, credentials: own.token ? own : given }
}
