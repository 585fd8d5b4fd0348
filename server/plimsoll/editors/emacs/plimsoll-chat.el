;;; plimsoll-chat.el --- The conversation with the agent  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; A buffer that holds the conversation, and below it what the person writes.

;;; Code:

(require 'plimsoll-project)
(require 'plimsoll-documents)

(defface plimsoll-person '((t :inherit font-lock-function-name-face :weight bold))
  "What the person said."
  :group 'plimsoll)
(defface plimsoll-call '((t :inherit font-lock-comment-face))
  "What the agent did."
  :group 'plimsoll)
(defface plimsoll-notice '((t :inherit font-lock-doc-face))
  "What the server tells."
  :group 'plimsoll)
(defface plimsoll-code '((t :inherit fixed-pitch :extend t))
  "Code in an answer."
  :group 'plimsoll)

(defvar-local plimsoll-chat--end nil
  "Where the conversation ends, and the prompt begins.")
(defvar-local plimsoll-chat--open nil
  "The id of the message that the text of the agent goes on with.")
(defvar-local plimsoll-chat--calls nil
  "By the id of a call: where its title begins.")
(defvar-local plimsoll-chat--sent nil
  "What the person sent, the newest first.")
(defvar-local plimsoll-chat--waits nil
  "What is waited for, in words.")

(defconst plimsoll-chat--prompt "\n> "
  "What stands before that which the person writes.")

(defvar plimsoll-chat-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'plimsoll-chat-send)
    (define-key map (kbd "C-j") #'newline)
    (define-key map (kbd "C-c C-c") #'plimsoll-cancel)
    (define-key map (kbd "C-c C-a") #'plimsoll-answer)
    (define-key map (kbd "C-c C-d") #'plimsoll-changes)
    (define-key map (kbd "C-c C-l") #'plimsoll-context)
    (define-key map (kbd "C-c C-s") #'plimsoll-sessions)
    (define-key map (kbd "C-c C-n") #'plimsoll-new-session)
    (define-key map (kbd "C-c C-m") #'plimsoll-set-mode)
    (define-key map (kbd "M-p") #'plimsoll-chat-earlier)
    (define-key map (kbd "TAB") #'completion-at-point)
    map)
  "Keys of the conversation.")

(defconst plimsoll-chat--highlights
  '(("^#+ .*$" . 'bold)
    ("`[^`\n]+`" . 'font-lock-constant-face)
    ("^```\\(?:.\\|\n\\)*?^```" . 'plimsoll-code))
  "What stands out in an answer.")

(define-derived-mode plimsoll-chat-mode text-mode "Plimsoll"
  "A conversation with an agent.
\\{plimsoll-chat-mode-map}"
  (setq-local font-lock-defaults '(plimsoll-chat--highlights t)
              font-lock-multiline t
              truncate-lines nil
              header-line-format '(:eval (plimsoll-chat--header))
              completion-at-point-functions '(plimsoll-chat--complete))
  (visual-line-mode 1))

(declare-function plimsoll-answer "plimsoll-approve")
(declare-function plimsoll-changes "plimsoll-changes")
(declare-function plimsoll-context "plimsoll-context")
(declare-function plimsoll-sessions "plimsoll")
(declare-function plimsoll-new-session "plimsoll")
(declare-function plimsoll-set-mode "plimsoll")
(declare-function plimsoll-cancel "plimsoll")

(defun plimsoll-chat-buffer (project)
  "Return the buffer with the conversation of PROJECT."
  (let ((name (format "*plimsoll: %s*"
                      (file-name-nondirectory
                       (directory-file-name (plimsoll-project-root project))))))
    (with-current-buffer (or (plimsoll-chat--found project) (generate-new-buffer name))
      (unless (derived-mode-p 'plimsoll-chat-mode)
        (plimsoll-chat-mode)
        (setq default-directory (plimsoll-project-root project)
              plimsoll-chat--calls (make-hash-table :test #'equal)
              plimsoll-chat--end (copy-marker (point-min) t))
        (plimsoll-chat--clear))
      (setq plimsoll-buffer-project project)
      (current-buffer))))

(defun plimsoll-chat--found (project)
  "Return the buffer that shows, or has shown, the conversation of PROJECT, or nil."
  (cl-find-if (lambda (buffer)
                (with-current-buffer buffer
                  (and (derived-mode-p 'plimsoll-chat-mode)
                       (equal (plimsoll-project-root plimsoll-buffer-project)
                              (plimsoll-project-root project)))))
              (buffer-list)))

(defun plimsoll-chat--header ()
  "Return the line above the conversation."
  (let ((project plimsoll-buffer-project))
    (concat " " (plimsoll-load-line project)
            (format "  %s · %s · %s%s"
                    (or (plimsoll-project-title project) "")
                    (or (plimsoll-project-mode project) "")
                    (or (plimsoll-project-model project) "")
                    (cond ((not (plimsoll-rpc-live-p (plimsoll-project-connection project)))
                           " · ended: M-x plimsoll starts it")
                          (plimsoll-chat--waits (concat " · " plimsoll-chat--waits))
                          ((plimsoll-project-turn project) " · at work, C-c C-c stops it")
                          (t ""))))))

(defun plimsoll-chat--clear ()
  "Empty this buffer, but for what the person is writing."
  (let ((inhibit-read-only t)
        (draft (plimsoll-chat--draft)))
    (clrhash plimsoll-chat--calls)
    (setq plimsoll-chat--open nil plimsoll-chat--waits nil)
    (erase-buffer)
    (set-marker plimsoll-chat--end (point-min))
    (save-excursion
      (goto-char (point-max))
      (insert (propertize plimsoll-chat--prompt 'read-only t 'rear-nonsticky t
                          'front-sticky '(read-only) 'face 'minibuffer-prompt 'field 'prompt)
              (or draft "")))
    (set-marker plimsoll-chat--end (point-min))
    (goto-char (point-max))))

(defun plimsoll-chat--draft-start ()
  "Return where begins what the person is writing."
  (min (point-max) (+ plimsoll-chat--end (length plimsoll-chat--prompt))))

(defun plimsoll-chat--draft ()
  "Return what the person is writing, or nil."
  (when (> (point-max) (length plimsoll-chat--prompt))
    (buffer-substring-no-properties (plimsoll-chat--draft-start) (point-max))))

(defun plimsoll-chat--insert (text &optional face)
  "Write TEXT at the end of the conversation, in FACE."
  (let ((inhibit-read-only t)
        (from (marker-position plimsoll-chat--end)))
    (save-excursion
      (goto-char from)
      (insert (apply #'propertize (plimsoll-chat--visible text) 'read-only t 'front-sticky t
                     'rear-nonsticky nil (and face (list 'face face 'font-lock-face face)))))
    (set-buffer-modified-p nil)))

(defun plimsoll-chat--visible (text)
  "Return TEXT with characters that hide or turn others as their numbers."
  (replace-regexp-in-string
   "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]\\|[\0-\10\13-\37]"
   (lambda (found) (format "<U+%04X>" (aref found 0))) (or text "")))

(defun plimsoll-chat--paragraph (text &optional face)
  "Write TEXT as a paragraph of its own, in FACE."
  (setq plimsoll-chat--open nil)
  (plimsoll-chat--insert (concat (plimsoll-chat--gap) text "\n") face))

(defun plimsoll-chat--gap ()
  "Return what sets apart what comes next."
  (let ((end (marker-position plimsoll-chat--end)))
    (cond ((= end (point-min)) "")
          ((eq (char-before end) ?\n)
           (if (eq (char-before (1- end)) ?\n) "" "\n"))
          (t "\n\n"))))

(defun plimsoll-chat-send ()
  "Send what stands behind the prompt.
While a turn runs, it waits for the next step of it."
  (interactive)
  (let ((project (plimsoll-need-project))
        (text (string-trim (or (plimsoll-chat--draft) ""))))
    (when (string-empty-p text) (user-error "There is nothing to send"))
    (unless (plimsoll-project-session-id project)
      (user-error "The session is being opened: send it in a moment"))
    (push text plimsoll-chat--sent)
    (delete-region (plimsoll-chat--draft-start) (point-max))
    (plimsoll-say project text)))

(defun plimsoll-say (project text)
  "Say TEXT to the agent of PROJECT.
It comes back into the prompt if it was not taken."
  (plimsoll-sync-documents project)
  (plimsoll-request
   project "plimsoll/session/prompt"
   (plimsoll-of-session project :content (vector (list :type "text" :text text)))
   (lambda (result)
     (when (plist-get result :queuedId)
       (with-current-buffer (plimsoll-chat-buffer project)
         (plimsoll-chat--paragraph "It is said at the next step." 'plimsoll-notice))))
   (lambda (failure)
     (with-current-buffer (plimsoll-chat-buffer project)
       (plimsoll-chat--paragraph (plimsoll-rpc-error-text failure) 'error)
       (save-excursion
         (goto-char (point-max))
         (insert text))))))

(defun plimsoll-chat-earlier ()
  "Put the last thing that was sent behind the prompt, and the one before it next."
  (interactive)
  (unless plimsoll-chat--sent (user-error "Nothing was sent here yet"))
  (delete-region (plimsoll-chat--draft-start) (point-max))
  (goto-char (point-max))
  (insert (car plimsoll-chat--sent))
  (setq plimsoll-chat--sent
        (append (cdr plimsoll-chat--sent) (list (car plimsoll-chat--sent)))))

(defun plimsoll-chat-update (project update)
  "Show an UPDATE of the session of PROJECT."
  (with-current-buffer (plimsoll-chat-buffer project)
    (unless (equal (plist-get update :kind) "waiting") (setq plimsoll-chat--waits nil))
    (pcase (plist-get update :kind)
      ("message" (plimsoll-chat--show-message (plist-get update :message)))
      ("textDelta" (plimsoll-chat--go-on update))
      ("toolCall" (plimsoll-chat--begin-call (plist-get update :toolCall)))
      ("toolUpdate" (plimsoll-chat--update-call update))
      ("notice" (plimsoll-chat--paragraph (plist-get update :markdown)
                                          (if (equal (plist-get update :level) "info")
                                              'plimsoll-notice 'warning)))
      ("reduction" (plimsoll-chat--show-receipt (plist-get update :receipt)))
      ("waiting" (setq plimsoll-chat--waits (plist-get update :reason)))
      ("turnEnded" (plimsoll-chat--end-turn update))
      ("sessionChanged"
       (unless (equal (plist-get (plist-get update :session) :id)
                      (plimsoll-project-session-id project))
         (plimsoll-load project (plist-get (plist-get update :session) :id))))
      ("gap" (plimsoll-load project (plimsoll-project-session-id project))))
    (force-mode-line-update)))

(defun plimsoll-chat--go-on (update)
  "Write on with the text of UPDATE."
  (let ((id (plist-get update :messageId)))
    (unless (equal id plimsoll-chat--open)
      (plimsoll-chat--insert (plimsoll-chat--gap))
      (setq plimsoll-chat--open id))
    (plimsoll-chat--insert (plist-get update :text))))

(defun plimsoll-chat--show-message (message)
  "Show what a person or an import said in MESSAGE; the rest has come as deltas."
  (when (equal (plist-get message :role) "user")
    (plimsoll-chat--show-person message)))

(defun plimsoll-chat--show-person (message)
  "Show MESSAGE of a person."
  (let ((texts (cl-loop for part in (plist-get message :parts)
                        collect (or (and (plist-get part :attached)
                                         (format "[%s]" (plist-get part :attached)))
                                    (plist-get part :text) ""))))
    (plimsoll-chat--paragraph (concat "> " (string-join texts "\n> ")) 'plimsoll-person)))

(defun plimsoll-chat--begin-call (call)
  "Show that CALL began."
  (plimsoll-chat--insert (plimsoll-chat--gap))
  (setq plimsoll-chat--open nil)
  (let ((from (marker-position plimsoll-chat--end)))
    (plimsoll-chat--insert (format "• %s\n" (plimsoll-chat--line (plist-get call :title)))
                           'plimsoll-call)
    (puthash (plist-get call :id) (copy-marker (+ from 2)) plimsoll-chat--calls)))

(defun plimsoll-chat--line (text)
  "Return TEXT as one line of at most 200 characters."
  (truncate-string-to-width (replace-regexp-in-string "[ \n\r\t]+" " " (or text "")) 200 nil nil "…"))

(defun plimsoll-chat--update-call (update)
  "Show what became of the call that UPDATE tells of."
  (let ((mark (gethash (plist-get update :toolCallId) plimsoll-chat--calls))
        (why (plist-get (plist-get update :rejection) :reason))
        (inhibit-read-only t))
    (when mark
      (save-excursion
        (goto-char mark)
        (put-text-property mark (line-end-position) 'help-echo (plist-get update :output))
        (when (get-text-property mark 'plimsoll-sign)
          (delete-region mark (next-single-property-change mark 'plimsoll-sign)))
        (insert-and-inherit
         (pcase (plist-get update :status)
           ("completed" "✔ ")
           ("failed" "✘ ")
           ("rejected" (if why (format "✘ refused (%s): " why) "✘ refused: "))
           ("waiting" "? ")
           (_ "")))
        (put-text-property mark (point) 'plimsoll-sign t)))))

(defun plimsoll-chat--show-receipt (receipt)
  "Show what RECEIPT says of a reduction."
  (unless (equal (plist-get receipt :stage) "truncate")
    (plimsoll-chat--paragraph
     (format "%s: %d → %d tokens (%s). /undo takes it back."
             (plist-get receipt :stage) (plist-get receipt :tokensBefore)
             (plist-get receipt :tokensAfter) (plist-get receipt :why))
     'plimsoll-notice)))

(defun plimsoll-chat--end-turn (update)
  "Show how a turn ended, by UPDATE, unless it ended well."
  (let ((failure (plist-get update :error))
        (reason (plist-get update :stopReason)))
    (cond
     (failure (plimsoll-chat--paragraph (plimsoll-rpc-error-text
                                         (list :message (plist-get failure :message)
                                               :data failure))
                                        'error))
     ((not (equal reason "endTurn"))
      (plimsoll-chat--paragraph (format "The turn has ended: %s." reason) 'plimsoll-notice)))
    (setq plimsoll-chat--open nil)))

(defun plimsoll-load (project id)
  "Show the session ID of PROJECT, the latest one without it."
  (plimsoll-request
   project "plimsoll/session/load"
   (append (list :workspaceFolder (plimsoll-workspace project)) (and id (list :sessionId id)))
   (lambda (loaded) (plimsoll-chat--show-session project loaded))
   (lambda (failure)
     (if (or id (not (equal (plist-get (plist-get failure :data) :kind) "sessionNotFound")))
         (plimsoll-rpc-show-error failure)
       (plimsoll-begin-session project)))))

(defun plimsoll-begin-session (project)
  "Show a new session of PROJECT."
  (plimsoll-request project "plimsoll/session/new"
                    (list :workspaceFolder (plimsoll-workspace project))
                    (lambda (made) (plimsoll-chat--show-session project made))))

(defun plimsoll-chat--show-session (project loaded)
  "Show in PROJECT the session as it was LOADED."
  (plimsoll-set-session project (plist-get loaded :session))
  (setf (plimsoll-project-seq project) (plist-get loaded :seq)
        (plimsoll-project-turn project) (plist-get loaded :runningTurnId))
  (with-current-buffer (plimsoll-chat-buffer project)
    (plimsoll-chat--clear)
    (let ((shown (plist-get loaded :shown)))
      (plimsoll-chat--show-earlier shown nil)
      (dolist (message (plist-get loaded :messages))
        (plimsoll-chat--show-earlier-message message)
        (plimsoll-chat--show-earlier shown (plist-get message :id))))
    (let ((answer (plist-get loaded :answer)))
      (when answer (plimsoll-chat--go-on answer)))
    (goto-char (point-max)))
  (plimsoll-request project "plimsoll/context/meter" (plimsoll-of-session project)
                    (lambda (meter) (plimsoll-set-meter project meter))))

(defun plimsoll-chat--show-earlier (shown message)
  "Show those of SHOWN that stand behind the id MESSAGE."
  (dolist (each shown)
    (when (equal (plist-get each :afterMessageId) message)
      (let ((update (plist-get each :update)))
        (if (equal (plist-get update :kind) "turnEnded")
            (plimsoll-chat--end-turn update)
          (plimsoll-chat--paragraph (plist-get update :markdown) 'plimsoll-notice))))))

(defun plimsoll-chat--show-earlier-message (message)
  "Show MESSAGE of a session that was loaded."
  (if (equal (plist-get message :role) "user")
      (plimsoll-chat--show-person message)
    (dolist (part (plist-get message :parts))
      (pcase (plist-get part :type)
        ("text" (unless (equal (plist-get message :role) "tool")
                  (plimsoll-chat--paragraph (plist-get part :text))))
        ("notice" (plimsoll-chat--paragraph (plist-get part :text) 'plimsoll-notice))
        ("toolCall" (plimsoll-chat--begin-call (plist-get part :toolCall)))
        ("toolResult"
         (plimsoll-chat--update-call
          (list :toolCallId (plist-get (plist-get part :toolCall) :id)
                :status (if (plist-get part :failed) "failed" "completed"))))))))

(defun plimsoll-chat--complete ()
  "Complete a file behind an @."
  (let ((from (save-excursion
                (skip-chars-backward "^ \n@" (plimsoll-chat--draft-start))
                (and (eq (char-before) ?@) (point)))))
    (when from
      (list from (point)
            (completion-table-dynamic
             (lambda (_)
               (let ((project (project-current)))
                 (mapcar (lambda (path) (file-relative-name path default-directory))
                         (if project (project-files project)
                           (directory-files default-directory t "\\`[^.]"))))))))))

(provide 'plimsoll-chat)
;;; plimsoll-chat.el ends here
