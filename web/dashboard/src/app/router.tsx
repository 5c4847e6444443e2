/** Routes of the dashboard and their access rules. */
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import { parseSearch, type QueryParameters, stringifySearch } from './address.ts'
import { Frame } from './frame.tsx'
import { NotFound, PageError } from './page-errors.tsx'
import { type PageOf, page } from './pages.tsx'
import { enterOrganization, enterProject, enterSomewhere, homeAddress } from './places.ts'
import { Root } from './root.tsx'
import { loadSession, signInSearch } from './session.ts'

const root = createRootRoute({
  component: Root,
  errorComponent: PageError,
  validateSearch: (search): QueryParameters => search as QueryParameters,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  beforeLoad: async ({ search }) => {
    const session = await loadSession()
    if (session.user !== null) throw redirect({ href: safeTarget(search.to) })
  },
  ...page(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
})

const setup = createRoute({
  getParentRoute: () => root,
  path: 'setup',
  beforeLoad: async () => void (await loadSession()),
  ...page(() => import('../pages/sign-in/setup-page.tsx'), 'SetupPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitation',
  beforeLoad: async () => void (await loadSession()),
  ...page(() => import('../pages/sign-in/invitation-page.tsx'), 'InvitationPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: 'reset-password',
  beforeLoad: async () => void (await loadSession()),
  ...page(() => import('../pages/sign-in/reset-password-page.tsx'), 'ResetPasswordPage'),
})

const requestPassword = createRoute({
  getParentRoute: () => root,
  path: 'forgotten-password',
  beforeLoad: async () => void (await loadSession()),
  ...page(() => import('../pages/sign-in/request-password-page.tsx'), 'RequestPasswordPage'),
})

/** Passed through by a member who opens a private site. */
const openSite = createRoute({
  getParentRoute: () => root,
  path: 'open-site',
  beforeLoad: async ({ location }) => {
    const session = await loadSession()
    if (session.user === null) throw redirect({ to: '/sign-in', search: signInSearch(location.href) })
  },
  ...page(() => import('../pages/sign-in/open-site-page.tsx'), 'OpenSitePage'),
})

/** Routes for signed-in users. Others sign in first and then return to the page they asked for. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: Frame,
  beforeLoad: async ({ location }) => {
    const session = await loadSession()
    if (session.user !== null) return enterSomewhere()
    throw redirect({ to: '/sign-in', search: signInSearch(location.href) })
  },
})

const home = createRoute({
  getParentRoute: () => member,
  path: '/',
  beforeLoad: async () => {
    const href = await homeAddress()
    if (href !== null) throw redirect({ href, replace: true })
  },
  ...page(() => import('../pages/account/nowhere-page.tsx'), 'NowherePage'),
})

const account = createRoute({
  getParentRoute: () => member,
  path: 'account',
  ...page(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
})

const elsewhere = createRoute({ getParentRoute: () => member, path: '$', component: NotFound })

const organization = createRoute({
  getParentRoute: () => member,
  path: 'o/$organizationId',
  notFoundComponent: NotFound,
  beforeLoad: async ({ params }) => {
    if (!(await enterOrganization(params.organizationId))) throw notFound()
  },
})

function ofOrganization<Path extends string, Name extends string>(path: Path, ...module: PageOf<Name>) {
  return createRoute({ getParentRoute: () => organization, path, ...page(...module) })
}

const organizationPages = [
  ofOrganization('members', () => import('../pages/organization/members-page.tsx'), 'MembersPage'),
  ofOrganization(
    'notifications',
    () => import('../pages/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  ofOrganization('plan', () => import('../pages/organization/plan-page.tsx'), 'PlanPage'),
  ofOrganization('audit', () => import('../pages/organization/audit-page.tsx'), 'AuditPage'),
  ofOrganization('keys', () => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
  ofOrganization('git', () => import('../pages/git/git-page.tsx'), 'GitPage'),
  ofOrganization('server', () => import('../pages/server/server-page.tsx'), 'ServerPage'),
  ofOrganization(
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
    if (!(await enterProject(params.projectId))) throw notFound()
  },
})

function ofProject<Path extends string, Name extends string>(path: Path, ...module: PageOf<Name>) {
  return createRoute({ getParentRoute: () => project, path, ...page(...module) })
}

const projectPages = [
  ofProject('/', () => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
  ofProject('feedback', () => import('../pages/feedback/feedback-page.tsx'), 'FeedbackPage'),
  ofProject('agent', () => import('../pages/agent/agent-page.tsx'), 'AgentPage'),
  ofProject(
    'agent/automations',
    () => import('../pages/automations/automations-page.tsx'),
    'AutomationsPage',
  ),
  ofProject('agent/$jobId', () => import('../pages/agent/agent-job-page.tsx'), 'AgentJobPage'),
  ofProject('exports', () => import('../pages/exports/exports-page.tsx'), 'ExportsPage'),
  ofProject('exports/$jobId', () => import('../pages/exports/export-job-page.tsx'), 'ExportJobPage'),
  ofProject('deployments', () => import('../pages/deployments/deployments-page.tsx'), 'DeploymentsPage'),
  ofProject('deployments/previews', () => import('../pages/deployments/previews-page.tsx'), 'PreviewsPage'),
  ofProject(
    'deployments/$deploymentId',
    () => import('../pages/deployments/deployment-page.tsx'),
    'DeploymentPage',
  ),
  ofProject('site', () => import('../pages/site/site-page.tsx'), 'SitePage'),
  ofProject('insights', () => import('../pages/insights/insights-page.tsx'), 'InsightsPage'),
  ofProject('assistant', () => import('../pages/assistant/assistant-page.tsx'), 'AssistantPage'),
  ofProject('settings', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  ofProject('settings/$section', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
]

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setup,
    invitation,
    resetPassword,
    requestPassword,
    openSite,
    member.addChildren([
      home,
      account,
      elsewhere,
      organization.addChildren(organizationPages),
      project.addChildren(projectPages),
    ]),
  ]),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPreloadDelay: 30,
  // The query cache decides what is fresh.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 400,
  scrollRestoration: false,
})

/** Returns a path within this app, whatever the URL contained. */
export function safeTarget(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])/.test(to) && !to.startsWith('/sign-in') ? to : '/'
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
