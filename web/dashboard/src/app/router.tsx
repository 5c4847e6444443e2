/** Routes of the dashboard and their access rules. */
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import {
  resolveHomePath,
  selectDefaultOrganization,
  selectOrganization,
  selectProject,
} from './current-project.ts'
import { Frame } from './frame.tsx'
import { NotFound, PageError } from './page-errors.tsx'
import { type PageOf, pageRouteOptions } from './pages.tsx'
import { parseSearch, type QueryParameters, stringifySearch } from './query-parameters.ts'
import { Root } from './root.tsx'
import { loadSession, signInSearchParams } from './session.ts'

const root = createRootRoute({
  component: Root,
  errorComponent: PageError,
  validateSearch: (search): QueryParameters => search as QueryParameters,
})

/** Creates a route that is open to everybody; the session is loaded first. */
function createVisitorRoute<Path extends string, Name extends string>(path: Path, ...module: PageOf<Name>) {
  const beforeLoad = async () => void (await loadSession())
  return createRoute({ getParentRoute: () => root, path, beforeLoad, ...pageRouteOptions(...module) })
}

const visitorPages = [
  createVisitorRoute('setup', () => import('../pages/sign-in/setup-page.tsx'), 'SetupPage'),
  createVisitorRoute('invitation', () => import('../pages/sign-in/invitation-page.tsx'), 'InvitationPage'),
  createVisitorRoute(
    'reset-password',
    () => import('../pages/sign-in/reset-password-page.tsx'),
    'ResetPasswordPage',
  ),
  createVisitorRoute(
    'forgotten-password',
    () => import('../pages/sign-in/request-password-page.tsx'),
    'RequestPasswordPage',
  ),
  // Opened through the signed link to a change.
  createVisitorRoute('reviews/$jobId', () => import('../pages/agent/review-page.tsx'), 'ReviewPage'),
]

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  beforeLoad: async ({ search }) => {
    const session = await loadSession()
    if (session.user !== null) throw redirect({ href: sanitizeTarget(search.to) })
  },
  ...pageRouteOptions(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

/** Intermediate route for members who open a private site. */
const openSite = createRoute({
  getParentRoute: () => root,
  path: 'open-site',
  beforeLoad: async ({ location }) => {
    const session = await loadSession()
    if (session.user === null) throw redirect({ to: '/sign-in', search: signInSearchParams(location.href) })
  },
  ...pageRouteOptions(() => import('../pages/sign-in/open-site-page.tsx'), 'OpenSitePage'),
})

/** Routes for signed-in users. Others sign in first and then return to the requested page. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: Frame,
  beforeLoad: async ({ location }) => {
    const session = await loadSession()
    if (session.user !== null) return selectDefaultOrganization()
    throw redirect({ to: '/sign-in', search: signInSearchParams(location.href) })
  },
})

const home = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: async () => {
    const href = await resolveHomePath()
    if (href !== null) throw redirect({ href, replace: true })
  },
  ...pageRouteOptions(() => import('../pages/account/no-organization-page.tsx'), 'NowherePage'),
})

const account = createRoute({
  getParentRoute: () => member,
  path: 'account',
  ...pageRouteOptions(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
})

const notFoundRoute = createRoute({ getParentRoute: () => member, path: '$', component: NotFound })

const organization = createRoute({
  getParentRoute: () => member,
  path: 'o/$organizationId',
  notFoundComponent: NotFound,
  beforeLoad: async ({ params }) => {
    if (!(await selectOrganization(params.organizationId))) throw notFound()
  },
})

function createOrganizationRoute<Path extends string, Name extends string>(
  path: Path,
  ...module: PageOf<Name>
) {
  return createRoute({ getParentRoute: () => organization, path, ...pageRouteOptions(...module) })
}

const organizationPages = [
  createOrganizationRoute('members', () => import('../pages/organization/members-page.tsx'), 'MembersPage'),
  createOrganizationRoute(
    'notifications',
    () => import('../pages/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  createOrganizationRoute('plan', () => import('../pages/organization/plan-page.tsx'), 'PlanPage'),
  createOrganizationRoute('audit', () => import('../pages/organization/audit-page.tsx'), 'AuditPage'),
  createOrganizationRoute('keys', () => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
  createOrganizationRoute('git', () => import('../pages/git/git-page.tsx'), 'GitPage'),
  createOrganizationRoute('server', () => import('../pages/server/server-page.tsx'), 'ServerPage'),
  createOrganizationRoute(
    'projects/new',
    () => import('../pages/organization/new-project-page.tsx'),
    'NewProjectPage',
  ),
]

const project = createRoute({
  getParentRoute: () => member,
  path: 'p/$projectId',
  notFoundComponent: NotFound,
  beforeLoad: async ({ params }) => {
    if (!(await selectProject(params.projectId))) throw notFound()
  },
})

function createProjectRoute<Path extends string, Name extends string>(path: Path, ...module: PageOf<Name>) {
  return createRoute({ getParentRoute: () => project, path, ...pageRouteOptions(...module) })
}

const projectPages = [
  createProjectRoute('/', () => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  createProjectRoute('feedback', () => import('../pages/feedback/feedback-page.tsx'), 'FeedbackPage'),
  createProjectRoute('agent', () => import('../pages/agent/agent-page.tsx'), 'AgentPage'),
  createProjectRoute(
    'agent/automations',
    () => import('../pages/automations/automations-page.tsx'),
    'AutomationsPage',
  ),
  createProjectRoute('agent/$jobId', () => import('../pages/agent/agent-job-page.tsx'), 'AgentJobPage'),
  createProjectRoute('exports', () => import('../pages/exports/exports-page.tsx'), 'ExportsPage'),
  createProjectRoute('exports/$jobId', () => import('../pages/exports/export-job-page.tsx'), 'ExportJobPage'),
  createProjectRoute(
    'deployments',
    () => import('../pages/deployments/deployments-page.tsx'),
    'DeploymentsPage',
  ),
  createProjectRoute(
    'deployments/previews',
    () => import('../pages/deployments/previews-page.tsx'),
    'PreviewsPage',
  ),
  createProjectRoute(
    'deployments/$deploymentId',
    () => import('../pages/deployments/deployment-page.tsx'),
    'DeploymentPage',
  ),
  createProjectRoute('site', () => import('../pages/site/site-page.tsx'), 'SitePage'),
  createProjectRoute('insights', () => import('../pages/insights/insights-page.tsx'), 'InsightsPage'),
  createProjectRoute('statements', () => import('../pages/statements/statements-page.tsx'), 'StatementsPage'),
  createProjectRoute('assistant', () => import('../pages/assistant/assistant-page.tsx'), 'AssistantPage'),
  createProjectRoute('settings', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  createProjectRoute(
    'settings/$section',
    () => import('../pages/settings/settings-page.tsx'),
    'SettingsPage',
  ),
]

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    ...visitorPages,
    openSite,
    member.addChildren([
      home,
      account,
      notFoundRoute,
      organization.addChildren(organizationPages),
      project.addChildren(projectPages),
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadDelay: 30,
  // The query cache determines whether data is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 400,
  scrollRestoration: false,
})

/** Returns a path within this app for any input, so that a link cannot redirect to another site. */
export function sanitizeTarget(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-in') ? to : '/'
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
