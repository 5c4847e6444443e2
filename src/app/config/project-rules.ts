/** What a project may be made of, for the operator at the command line and for members over HTTP: one list of checks. */

import { FORM_FAULTS } from '../../base/errors/form-faults.ts'
import type { OwnNames } from '../../features/projects/domains/reserved-names.ts'
import type { ProjectRules } from '../../features/projects/project-fields.ts'
import { GitError } from '../../git/git-error.ts'
import { parseRepository } from '../../git/repository.ts'
import { isWithinRoots } from '../../git/source-folder.ts'
import type { Config } from './config.ts'

/** Whoever names a folder of the server reads it: that is for its operator, not for everybody who may change projects. */
export const FOLDER_FAULT = FORM_FAULTS.serverFolder
const ROOTS_FAULT = FORM_FAULTS.closedFolder

type RulesConfig = Pick<
  Config,
  'git' | 'sourceRoots' | 'publicUrl' | 'port' | 'previewDomain' | 'provesDomains'
>

export function memberRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: false,
    sourceFault(kind, repository) {
      if (kind === 'git') return addressFault(config, repository)
      if (config.sourceRoots.length === 0) return FOLDER_FAULT
      return isWithinRoots(repository, config.sourceRoots) ? null : ROOTS_FAULT
    },
    ownNames: ownNames(config),
    newDomains: { state: config.provesDomains ? 'pending' : 'served', proof: null },
  }
}

export function operatorRules(config: RulesConfig): ProjectRules {
  return {
    grantsFolders: true,
    sourceFault: (kind, repository) => (kind === 'git' ? addressFault(config, repository) : null),
    ownNames: ownNames(config),
    newDomains: { state: 'served', proof: 'operator' },
  }
}

function ownNames({ publicUrl, port, previewDomain }: RulesConfig): OwnNames {
  return { publicUrl: publicUrl ?? `http://localhost:${port}`, previewDomain }
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
