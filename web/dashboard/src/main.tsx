import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { render } from 'preact'
import { watchConnection } from './api/connection.ts'
import { setOrganization } from './api/send.ts'
import { queryClient, setSignedOutHandler } from './app/query-client.ts'
import { router } from './app/router.tsx'
import { endSession } from './app/session.ts'
import './styles/fonts.css'
import './styles/app.css'
import 'uplot/dist/uPlot.min.css'

watchConnection()

// The session has ended: sign in and return to this page.
setSignedOutHandler(() => {
  const { href, pathname } = router.state.location
  if (pathname === '/sign-in') return
  setOrganization(null)
  endSession()
  void router.navigate({ to: '/sign-in', search: { to: href, ended: '1' } })
})

const container = document.getElementById('app')
if (container === null) throw new Error('The page has no element with the ID "app".')
render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
  container,
)
