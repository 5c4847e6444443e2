import { Outlet } from '@tanstack/react-router'
import { useLayoutEffect } from 'preact/hooks'
import { ToastList } from '../ui/toast-list.tsx'
import { listenForKeys } from './keys.ts'
import { ReauthenticationOutlet } from './reauthentication-outlet.tsx'

export function Root() {
  useLayoutEffect(() => listenForKeys(), [])
  return (
    <>
      <Outlet />
      <ToastList />
      <ReauthenticationOutlet />
    </>
  )
}
