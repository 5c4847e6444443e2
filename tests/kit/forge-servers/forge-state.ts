/** State common to all forges: one repository with its branches, pull requests and comments. */
import { execFile } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createTestRepository } from '../git.ts'

export interface KeptRequest {
  number: number
  title: string
  body: string
  branch: string
  target: string
  state: 'open' | 'merged' | 'closed'
  /** Whether it comes from a fork, which has separate branch names. */
  isFromFork: boolean
  /** Draft flag, on forges that do not mark drafts in the title only. */
  isDraft: boolean
  /** User names, and teams as `organization/team`, excluding reviewers assigned by the forge's rules. */
  reviewers: string[]
  labels: string[]
  createdAt: string
}

export interface KeptComment {
  id: number
  request: number
  author: string
  text: string
  /** File of a line comment; null for comments in the conversation and for reviews. */
  path: string | null
  line: number | null
  /** Id of the comment it replies to, on forges with threads. */
  answers: number | null
  createdAt: string
  updatedAt: string
  /** Reaction names are specific to each forge: `+1`, `thumbsup`. */
  reactions: { name: string; author: string; createdAt: string }[]
}

export interface ForgeState {
  /** Parent folder of the repository, as required by git's HTTP server. */
  folder: string
  /** `owner/name`. */
  path: string
  /** Sorted by number. */
  requests: KeptRequest[]
  comments: KeptComment[]
  /** Commit statuses, oldest first. */
  statuses: { commit: string; said: { [key: string]: unknown } }[]
  /** Users with write access; everyone else can only read. */
  writers: Set<string>
  say(comment: Partial<KeptComment> & Pick<KeptComment, 'request' | 'author' | 'text'>): KeptComment
  change(comment: KeptComment, text: string): void
  react(comment: number, author: string, name: string): void
  git(...args: string[]): Promise<string>
  hasBranch(name: string): Promise<boolean>
  /** Counts the commits of the branch that are not in the target. */
  countCommits(target: string, branch: string): Promise<number>
  add(
    request: Pick<KeptRequest, 'title' | 'body' | 'branch' | 'target'> &
      Partial<Pick<KeptRequest, 'isFromFork' | 'isDraft'>>,
  ): KeptRequest
  get(number: number): KeptRequest
  /** Creates a merge commit, like the merge button of a forge. */
  merge(number: number): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function openForgeState(path: string, files: Record<string, string>): Promise<ForgeState> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-forge-'))
  const gitDir = join(folder, `${path}.git`)
  await mkdir(dirname(gitDir), { recursive: true })
  {
    await using repository = await createTestRepository(files)
    await cp(join(repository.folder, '.git'), gitDir, { recursive: true })
  }
  const git = async (...args: string[]) => {
    const identity = ['-c', 'user.name=Forge', '-c', 'user.email=forge@example.com']
    return (await promisify(execFile)('git', [...identity, ...args], { cwd: gitDir })).stdout.trim()
  }
  await appendFile(join(gitDir, 'config'), '[core]\n\tbare = true\n[http]\n\treceivepack = true\n')
  const requests: KeptRequest[] = []
  const comments: KeptComment[] = []
  let minutes = 0
  const now = () => new Date(Date.UTC(2026, 1, 1, 0, minutes++)).toISOString()
  const state: ForgeState = {
    folder,
    path,
    requests,
    comments,
    statuses: [],
    writers: new Set(['maintainer', 'octavo']),
    say(comment) {
      const createdAt = now()
      const id = comments.length + 1
      const times = { createdAt, updatedAt: createdAt, reactions: [] }
      const kept = { path: null, line: null, answers: null, ...comment, id, ...times }
      comments.push(kept)
      return kept
    },
    change(comment, text) {
      Object.assign(comment, { text, updatedAt: now() })
    },
    react(comment, author, name) {
      comments.find(({ id }) => id === comment)?.reactions.push({ name, author, createdAt: now() })
    },
    git,
    async hasBranch(name) {
      return (await git('for-each-ref', '--format=x', `refs/heads/${name}`)) === 'x'
    },
    async countCommits(target, branch) {
      return Number(await git('rev-list', '--count', `refs/heads/${target}..refs/heads/${branch}`))
    },
    add({ isFromFork = false, isDraft = false, ...request }) {
      // Space them an hour apart, so that their order does not depend on timing.
      const createdAt = new Date(Date.UTC(2026, 0, 1, requests.length)).toISOString()
      const kept: KeptRequest = {
        ...request,
        number: requests.length + 1,
        state: 'open',
        isFromFork,
        isDraft,
        reviewers: [],
        labels: [],
        createdAt,
      }
      requests.push(kept)
      return kept
    },
    get(number) {
      const found = requests[number - 1]
      if (!found) throw new Error(`the forge has no request ${number}`)
      return found
    },
    async merge(number) {
      const request = state.get(number)
      const [target, branch] = [`refs/heads/${request.target}`, `refs/heads/${request.branch}`]
      const tree = await git('merge-tree', '--write-tree', target, branch)
      const message = `Merge ${request.title}`
      const commit = await git('commit-tree', tree, '-p', target, '-p', branch, '-m', message)
      await git('update-ref', target, commit)
      request.state = 'merged'
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
  return state
}
