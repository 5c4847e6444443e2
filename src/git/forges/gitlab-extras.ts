/** Reviewers and labels of GitLab merge requests. GitLab takes reviewer ids, and replaces each list as a whole. */
import type { MergeRequests, Users } from '@gitbeaker/rest'
import type { RequestExtras } from './forge.ts'
import { addSeparately, rejectedExtraMessage } from './request-extras.ts'

export type GitlabUsers = InstanceType<typeof Users>
type GitlabRequests = InstanceType<typeof MergeRequests>

export interface ExtrasCaller {
  requests: <T>(work: (requests: GitlabRequests) => Promise<T>) => Promise<T>
  users: <T>(work: (users: GitlabUsers) => Promise<T>) => Promise<T>
}

/** Change of a merge request. The library's types lack the label lists that GitLab documents. */
type Change = Parameters<GitlabRequests['edit']>[2]

/** Subset of GitLab's response that is used. */
interface Shown {
  labels?: string[]
  reviewers?: { id: number }[] | null
}

export async function addAtGitlab(
  project: string,
  number: number,
  { reviewers, labels }: RequestExtras,
  callApi: ExtrasCaller,
): Promise<string[]> {
  const ids: number[] = []
  const unknown: string[] = []
  for (const name of reviewers) {
    const [user] = (await callApi.users((users) => users.all({ username: name }))) as unknown as {
      id: number
    }[]
    if (user === undefined)
      unknown.push(rejectedExtraMessage(`${name} as a reviewer`, 'It has no user of this name.'))
    else ids.push(user.id)
  }
  if (ids.length === 0 && labels.length === 0) return unknown
  const now = (await callApi.requests((requests) => requests.show(project, number))) as unknown as Shown
  const change = {
    ...(ids.length > 0 && {
      reviewerIds: [...new Set([...(now.reviewers ?? []).map(({ id }) => id), ...ids])],
    }),
    ...(labels.length > 0 && { labels: [...new Set([...(now.labels ?? []), ...labels])] }),
  }
  const add = () =>
    callApi.requests((requests) => requests.edit(project, number, change as unknown as Change))
  return [...unknown, ...(await addSeparately([{ what: 'reviewers and labels', add }]))]
}
