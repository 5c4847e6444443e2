/** What a project may be made of, for the operator at the command line and for members over HTTP: one list of checks. */
import type { ProjectRules } from '../accounts/project-fields.ts'
import { FORM_FAULTS, worded } from '../contract/form-faults.ts'
import { GitError } from '../git/git-error.ts'
import { parseRepository } from '../git/repository.ts'
import { isWithinRoots } from '../git/source-folder.ts'
import type { Config } from './config.ts'

/** Whoever names a folder of the server reads it: that is for its operator, not for everybody who may change projects. */
export const FOLDER_FAULT = FORM_FAULTS.serverFolder
const ROOTS_FAULT = FORM_FAULTS.closedFolder

type RulesConfig = Pick<Config, 'git' | 'sourceRoots' | 'publicUrl' | 'provesDomains'>

export function memberRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: false,
    sourceFault(kind, repository) {
      if (kind === 'git') return addressFault(config, repository)
      if (config.sourceRoots.length === 0) return FOLDER_FAULT
      return isWithinRoots(repository, config.sourceRoots) ? null : ROOTS_FAULT
    },
    domainFault: (domain) => domainFault(config, domain),
    newDomains: { state: config.provesDomains ? 'pending' : 'served', proof: null },
  }
}

export function operatorRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: true,
    sourceFault: (kind, repository) => (kind === 'git' ? addressFault(config, repository) : null),
    domainFault: (domain) => domainFault(config, domain),
    newDomains: { state: 'served', proof: 'operator' },
  }
}

/**
 * The service's own names: this machine's, and that of the public address with all below it, where a site could leave
 * cookies for the dashboard. Below `localhost` there are only sites.
 */
function domainFault({ publicUrl }: RulesConfig, domain: string): string | null {
  const own = URL.parse(publicUrl ?? '')?.hostname.replace(/\.$/, '') ?? 'localhost'
  const isOwn = domain === 'localhost' || domain === own
  const isBelow = own !== 'localhost' && domain.endsWith(`.${own}`)
  return isOwn || isBelow ? worded(FORM_FAULTS.domainOfService, domain) : null
}

/** What git would refuse whatever is there. */
function addressFault({ git }: RulesConfig, repository: string): string | null {
  try {
    parseRepository(repository, { allowHttp: git.allowHttp })
    return null
  } catch (error) {
    if (error instanceof GitError) return error.message.replace(/\.$/, '')
    throw error
  }
}
