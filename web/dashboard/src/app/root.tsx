import { Outlet } from '@tanstack/react-router'
import { useLayoutEffect } from 'preact/hooks'
import { ToastList } from '../ui/toast-list.tsx'
import { DialogOutlet } from './dialogs.tsx'
import { listenForKeys } from './keys.ts'
import { ReauthenticationOutlet } from './reauthentication-outlet.tsx'

export function Root() {
  useLayoutEffect(() => listenForKeys(), [])
  return (
    <>
      <Outlet />
      <DialogOutlet />
      <ToastList />
      <ReauthenticationOutlet />
    </>
  )
}
