;;; plimsoll.el --- An agent that keeps its context inside the load line  -*- lexical-binding: t -*-

;; Author: The Plimsoll authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience
;; URL: https://pypi.org/project/plimsoll-lsp/
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `M-x plimsoll' opens the conversation with the agent of this project: RET sends,
;; C-c C-c stops a turn, C-c C-a goes to a question, C-c C-l lists the context,
;; C-c C-d shows what the agent changed.
;; What a person types behind a slash is a command: /help lists them.
;; `plimsoll-mode-line-mode' shows the load line in the mode line.

;;; Code:

(require 'plimsoll-project)
(require 'plimsoll-documents)
(require 'plimsoll-chat)
(require 'plimsoll-approve)
(require 'plimsoll-changes)
(require 'plimsoll-context)
(require 'plimsoll-knowledge)

(defconst plimsoll--handlers
  (append '(("plimsoll/session/requestPermission" . plimsoll-take-question)
            ("workspace/applyEdit" . plimsoll-apply-edit))
          plimsoll-knowledge-handlers)
  "The functions that answer what the server asks.")

(defvar plimsoll--timer nil
  "Tells the servers what was typed, when Emacs is idle.")

;;;###autoload
(defun plimsoll ()
  "Open the conversation with the agent of this project, where it was left."
  (interactive)
  (let* ((running (plimsoll-current-project))
         (project (or running (plimsoll-open-project plimsoll--handlers))))
    (unless running
      (plimsoll--listen)
      (plimsoll-sync-documents project)
      (plimsoll-load project nil))
    (pop-to-buffer (plimsoll-chat-buffer project))
    (goto-char (point-max))))

(defun plimsoll--listen ()
  "Show what the servers tell from now on."
  (add-hook 'plimsoll-update-functions #'plimsoll-chat-update)
  (add-hook 'plimsoll-update-functions #'plimsoll-drop-questions)
  (add-hook 'plimsoll-update-functions #'plimsoll-changes-update)
  (add-hook 'plimsoll-end-functions #'plimsoll--ended)
  (unless plimsoll--timer
    (setq plimsoll--timer (run-with-idle-timer 0.3 t #'plimsoll--sync-all))))

(defun plimsoll--sync-all ()
  "Tell each server what has changed in the buffers of its files."
  (mapc #'plimsoll-sync-documents (plimsoll-projects)))

(defun plimsoll--ended (project why)
  "Say in the conversation of PROJECT that its server has ended, and WHY."
  (plimsoll-drop-questions project (list :kind "gap"))
  (setf (plimsoll-project-turn project) nil)
  (with-current-buffer (plimsoll-chat-buffer project)
    (plimsoll-chat--paragraph
     (string-join (list "The server has ended: M-x plimsoll starts it." why) "\n")
     'plimsoll-notice)))

(defun plimsoll-cancel ()
  "Stop the turn that runs."
  (interactive)
  (let ((project (plimsoll-need-project)))
    (plimsoll-request project "plimsoll/session/cancel" (plimsoll-of-session project) #'ignore)))

(defun plimsoll-new-session ()
  "Begin a new session."
  (interactive)
  (plimsoll-begin-session (plimsoll-need-project)))

(defun plimsoll-sessions ()
  "Go on with another session of this folder."
  (interactive)
  (let* ((project (plimsoll-need-project))
         (found (plist-get (plimsoll-ask project "plimsoll/session/list"
                                         (list :workspaceFolder (plimsoll-workspace project)))
                           :sessions))
         (offers (mapcar (lambda (session)
                           (cons (format "%s  %s" (plist-get session :updatedAt)
                                         (plist-get session :title))
                                 (plist-get session :id)))
                         found))
         (chosen (completing-read "Session: " offers nil t)))
    (plimsoll-load project (cdr (assoc chosen offers)))))

(defun plimsoll-set-mode (mode)
  "Set the MODE: edit, plan or ask."
  (interactive (list (completing-read "Mode: " '("edit" "plan" "ask") nil t)))
  (let ((project (plimsoll-need-project)))
    (plimsoll-request project "plimsoll/session/setMode"
                      (plimsoll-of-session project :mode mode)
                      (lambda (result)
                        (plimsoll-set-session project (plist-get result :session))))))

(defun plimsoll-stop ()
  "End the server of this project; the session stays as it is."
  (interactive)
  (let ((connection (plimsoll-project-connection (plimsoll-need-project))))
    (plimsoll-rpc-wait connection "shutdown" nil)
    (plimsoll-rpc-notify connection "exit" nil)))

(defun plimsoll--mode-line ()
  "Return the load line of this buffer's project for the mode line."
  (let ((project (cl-find-if (lambda (each)
                               (string-prefix-p (plimsoll-project-root each)
                                                (expand-file-name default-directory)))
                             (plimsoll-projects))))
    (if project
        (concat " " (plimsoll-load-line project)
                (and (plimsoll-project-turn project) " …"))
      "")))

;;;###autoload
(define-minor-mode plimsoll-mode-line-mode
  "Show the load line of the agent in the mode line."
  :global t
  :group 'plimsoll
  (if plimsoll-mode-line-mode
      (add-to-list 'mode-line-misc-info '(:eval (plimsoll--mode-line)) t)
    (setq mode-line-misc-info (delete '(:eval (plimsoll--mode-line)) mode-line-misc-info))))

(provide 'plimsoll)
;;; plimsoll.el ends here
