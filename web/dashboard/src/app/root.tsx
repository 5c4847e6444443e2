import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'preact/hooks'
import { ToastList } from '../ui/toast-list.tsx'
import { listenForKeys } from './keys.ts'

export function Root() {
  useEffect(() => listenForKeys(), [])
  return (
    <>
      <Outlet />
      <ToastList />
    </>
  )
}
