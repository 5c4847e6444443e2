/** Where the operations on projects, feedback and the organization meet their handlers. */

import type { Log } from '../base/log.ts'
import type { DASHBOARD_OPERATIONS } from '../contract/dashboard-operations.ts'
import type { PEOPLE_OPERATIONS } from '../contract/people-operations.ts'
import type { WORK_OPERATIONS } from '../contract/work-operations.ts'
import type { Database } from '../database/database.ts'
import { createProjectWatch } from '../database/project-changes.ts'
import { createOverviews } from '../feedback/overview.ts'
import { createPageLibrary } from '../hosting/page-library.ts'
import type { PublishedSiteDeps } from '../hosting/published-site.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { Handlers } from './handler.ts'
import type { ShapeRule } from './operation-route.ts'
import { type ApiKeysDeps, createApiKey, listApiKeys, revokeApiKey } from './routes/dashboard/api-keys.ts'
import { type AuditRouteDeps, auditRules, exportAudit, listAudit } from './routes/dashboard/audit.ts'
import { feedbackDataRules, listFeedbackGroups, searchFeedback } from './routes/dashboard/feedback.ts'
import {
  createFeedbackView,
  deleteFeedbackView,
  listFeedbackViews,
  updateFeedbackView,
  VIEW_RULES,
} from './routes/dashboard/feedback-views.ts'
import { getFeedbackContext } from './routes/dashboard/get-feedback-context.ts'
import { getOverview } from './routes/dashboard/get-overview.ts'
import { getPublishedSite } from './routes/dashboard/get-published-site.ts'
import {
  type GetSourceLinesDeps,
  getSourceLines,
  sourceLinesFaults,
} from './routes/dashboard/get-source-lines.ts'
import {
  createGitCredential,
  deleteGitCredential,
  type GitCredentialsDeps,
  listGitCredentials,
  replaceGitCredential,
} from './routes/dashboard/git-credentials.ts'
import {
  getOrganization,
  ORGANIZATION_RULES,
  type OrganizationRouteDeps,
  updateOrganization,
} from './routes/dashboard/organization.ts'
import type { ProjectViewDeps } from './routes/dashboard/project-view.ts'
import {
  checkDomain,
  createProject,
  getProject,
  listProjects,
  projectRules,
  updateProject,
} from './routes/dashboard/projects.ts'
import { search } from './routes/dashboard/search.ts'
import { streamProjectEvents } from './routes/dashboard/stream-project-events.ts'

type DataOperations = Omit<
  typeof DASHBOARD_OPERATIONS,
  keyof typeof PEOPLE_OPERATIONS | keyof typeof WORK_OPERATIONS
>

export type DataHandlerDeps = ProjectViewDeps &
  PublishedSiteDeps &
  GetSourceLinesDeps &
  ApiKeysDeps &
  GitCredentialsDeps &
  OrganizationRouteDeps &
  AuditRouteDeps & { database: Database; objects: ObjectStore; log: Log }

export function createDataHandlers(given: DataHandlerDeps): Handlers<DataOperations> {
  const { queries } = given.database
  const deps = {
    ...given,
    overviews: createOverviews(queries),
    library: createPageLibrary(given),
    watch: createProjectWatch({ queries, log: given.log }),
  }
  return {
    listProjects: (call) => listProjects(deps, call),
    createProject: (call) => createProject(deps, call),
    getProject: (call) => getProject(deps, call),
    updateProject: (call) => updateProject(deps, call),
    checkDomain: (call) => checkDomain(deps, call),
    getOverview: (call) => getOverview(deps, call),
    getPublishedSite: (call) => getPublishedSite(deps, call),
    getSourceLines: (call) => getSourceLines(deps, call),
    searchFeedback: (call) => searchFeedback(deps, call),
    listFeedbackGroups,
    getFeedbackContext: (call) => getFeedbackContext(deps, call),
    listFeedbackViews,
    createFeedbackView: (call) => createFeedbackView(deps, call),
    updateFeedbackView,
    deleteFeedbackView,
    search: (call) => search(deps, call),
    streamProjectEvents: (call) => streamProjectEvents(deps, call),
    getOrganization: (call) => getOrganization(deps, call),
    updateOrganization: (call) => updateOrganization(deps, call),
    listApiKeys,
    createApiKey: (call) => createApiKey(deps, call),
    revokeApiKey,
    listGitCredentials,
    createGitCredential: (call) => createGitCredential(deps, call),
    replaceGitCredential: (call) => replaceGitCredential(deps, call),
    deleteGitCredential,
    listAudit: (call) => listAudit(deps, call),
    exportAudit: (call) => exportAudit(deps, call),
  }
}

/** What the schemas of these operations cannot say of a request. */
export function createDataRules(deps: DataHandlerDeps): { [Id in keyof DataOperations]?: ShapeRule } {
  return {
    ...projectRules(deps),
    ...feedbackDataRules(deps),
    ...VIEW_RULES,
    ...ORGANIZATION_RULES,
    ...auditRules(deps),
    getSourceLines: ({ query }) => sourceLinesFaults(query),
  }
}
