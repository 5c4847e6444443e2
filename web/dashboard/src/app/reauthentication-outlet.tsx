import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { onReauthenticationRequired } from '../api/reauthentication.ts'

interface DialogProps {
  onDone: (isConfirmed: boolean) => void
}

/** Renders the re-authentication dialog, which is loaded when it is first needed. */
export function ReauthenticationOutlet() {
  const [asked, setAsked] = useState<{
    Dialog: ComponentType<DialogProps>
    answer: (isConfirmed: boolean) => void
  } | null>(null)
  useEffect(() => {
    onReauthenticationRequired(async () => {
      const { ReauthenticationDialog: ProofDialog } = await import(
        '../pages/sign-in/reauthentication-dialog.tsx'
      )
      return new Promise((resolve) => setAsked({ Dialog: ProofDialog, answer: resolve }))
    })
  }, [])
  if (asked === null) return null
  const { Dialog, answer } = asked
  return (
    <Dialog
      onDone={(isConfirmed) => {
        setAsked(null)
        answer(isConfirmed)
      }}
    />
  )
}
