/** Access to the repositories of projects, each with the credentials of its organization only. */
import {
  decryptGitTokens,
  type GitCredentialDeps,
  recordGitTokenUse,
} from '../../features/projects/git-credentials.ts'
import { setDefaultBranch } from '../../features/projects/projects.ts'
import type { Forge } from '../../git/forges/forge.ts'
import { credentialsFor, type ForgeSettings, openForge } from '../../git/forges/open-forge.ts'
import type { ProjectSourceDeps, ProjectSourceRow } from '../../git/project-source.ts'
import type { Context } from '../context.ts'
import { SAMPLE_FOLDER } from '../operator/sample-folder.ts'
import type { Secrets } from './config.ts'
import { appliesToOrganization, type GitScope } from './git-scopes.ts'

export type GitSecrets = Pick<Secrets, 'gitTokens' | 'githubApp'>

type GitAccessContext = Pick<Context, 'config' | 'folder' | 'database' | 'log' | 'egress'> & GitCredentialDeps

export interface GitAccess {
  source: ProjectSourceDeps
  /** Rejects with ForgeError. */
  openForge(row: ProjectSourceRow): Promise<Forge>
}

export function createGitAccess(context: GitAccessContext, secrets: GitSecrets): GitAccess {
  const { config, folder, egress } = context
  const { caFile, proxy, sshAgent, allowHttp } = config.git
  const network = {
    guard: egress.guardFor('git'),
    caFile: caFile ?? undefined,
    proxy: proxy ?? undefined,
  }
  const resolveSettings = (row: ProjectSourceRow) => forgeSettings(context, secrets, row.organization_id)
  return {
    source: {
      mirrorsFolder: folder.mirrors,
      credentialsOf: async (row, signal) => {
        const settings = await resolveSettings(row)
        return await credentialsFor(row.repository, { ...settings, network, allowHttp }, signal)
      },
      folders: { roots: config.sourceRoots, own: SAMPLE_FOLDER, dataFolder: config.dataFolder },
      onDefaultBranch: ({ id, default_branch: known }, branch) => {
        if (branch === known) return
        setDefaultBranch(context.database.queries, id, branch).catch((error: Error) =>
          context.log.warn({ projectId: id, error: error.message }, 'project.branch_not_noted'),
        )
      },
      allowHttp,
      settings: { ...network, sshAgent: sshAgent ?? undefined },
    },
    openForge: async (row) =>
      openForge(row.repository, { ...(await resolveSettings(row)), network, allowHttp }),
  }
}

/** Tokens of the organization take precedence over the operator's tokens for the same location. */
async function forgeSettings(
  context: GitAccessContext,
  { gitTokens, githubApp }: GitSecrets,
  organizationId: string,
): Promise<ForgeSettings> {
  const { queries } = context.database
  const { forges, git } = context.config
  const others = await queries
    .selectFrom('organizations')
    .select('id')
    .where('id', '<>', organizationId)
    .limit(1)
    .execute()
  const organization = { id: organizationId, isOnly: others.length === 0 }
  const own = await decryptGitTokens(context, queries, organizationId)
  const operators = gitTokens
    .filter((scoped) => appliesToOrganization(scoped, organization))
    .map(({ prefix, token }) => [prefix, token])
  const withinOf = (scopes: readonly GitScope[]) => {
    if (scopes.length === 0) return organization.isOnly ? 'everywhere' : []
    return scopes.filter((scope) => appliesToOrganization(scope, organization)).map(({ prefix }) => prefix)
  }
  return {
    kinds: forges.kinds,
    tokens: { ...Object.fromEntries(operators), ...own },
    onTokenUsed: (prefix) => {
      if (own[prefix] === undefined) return
      recordGitTokenUse(queries, organizationId, prefix).catch((error: Error) =>
        context.log.warn({ error: error.message }, 'git_credential.use_not_noted'),
      )
    },
    githubApp,
    githubAppWithin: withinOf(git.githubAppFor),
    sshKeysWithin: withinOf(git.sshFor),
  }
}
