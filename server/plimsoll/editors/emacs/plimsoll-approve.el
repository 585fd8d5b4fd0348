;;; plimsoll-approve.el --- Questions before a change  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What the agent asks stands in a buffer of its own, with all that will happen.  The buffer
;; is shown and not selected, so that no key that is typed elsewhere is an answer.

;;; Code:

(require 'diff-mode)
(require 'plimsoll-chat)

(cl-defstruct (plimsoll-question (:constructor plimsoll-question--make))
  "A question of the server that waits for an answer."
  project id call options)

(defvar plimsoll--questions nil
  "The questions that wait, the oldest first.")

(defvar-local plimsoll--question nil
  "The question that this buffer shows.")

(defvar plimsoll-question-map
  (let ((map (make-sparse-keymap)))
    (define-key map "y" #'plimsoll-allow)
    (define-key map "s" #'plimsoll-allow-for-session)
    (define-key map "a" #'plimsoll-allow-always)
    (define-key map "n" #'plimsoll-reject)
    (define-key map "r" #'plimsoll-reject-with-reason)
    (define-key map "k" #'plimsoll-allow-hunks)
    (define-key map "e" #'plimsoll-edit-plan)
    (define-key map "q" #'quit-window)
    map)
  "Keys of a question.")

(define-minor-mode plimsoll-question-mode
  "Answers a question of the agent by one key."
  :keymap plimsoll-question-map
  (plimsoll-over-diff-keys 'plimsoll-question-mode plimsoll-question-map))

(defun plimsoll-over-diff-keys (mode map)
  "Let the keys of MAP hold in this buffer while MODE is on.
Without this, keys of `diff-mode' come first in a buffer that is read-only."
  (setq-local minor-mode-overriding-map-alist
              (cons (cons mode map) minor-mode-overriding-map-alist)))

(defun plimsoll-take-question (project id params)
  "Show what the server of PROJECT asks by ID, as PARAMS say."
  (let ((question (plimsoll-question--make :project project :id id
                                           :call (plist-get params :toolCall)
                                           :options (plist-get params :options))))
    (setq plimsoll--questions (append plimsoll--questions (list question)))
    (unless (cdr plimsoll--questions) (plimsoll--show-question question))
    (message "Plimsoll asks: %s (C-c C-a in the conversation, or M-x plimsoll-answer)"
             (plist-get (plimsoll-question-call question) :title))))

(defun plimsoll-answer ()
  "Go to the question that waits."
  (interactive)
  (unless plimsoll--questions (user-error "Nothing is asked"))
  (select-window (plimsoll--show-question (car plimsoll--questions))))

(defun plimsoll--show-question (question)
  "Show QUESTION, and return its window."
  (with-current-buffer (get-buffer-create "*plimsoll: question*")
    (let ((inhibit-read-only t)
          (call (plimsoll-question-call question)))
      (erase-buffer)
      (diff-mode)
      (insert (plimsoll--question-text call))
      (goto-char (point-min))
      (setq plimsoll--question question
            plimsoll-buffer-project (plimsoll-question-project question)
            default-directory (plimsoll-project-root (plimsoll-question-project question))
            buffer-read-only t
            header-line-format (plimsoll--question-keys question))
      (plimsoll-question-mode 1))
    (display-buffer (current-buffer) '((display-buffer-reuse-window display-buffer-pop-up-window
                                                                    display-buffer-use-some-window)))))

(defun plimsoll--question-text (call)
  "Return all that CALL will do."
  (let ((detail (plist-get call :detail)))
    (plimsoll-chat--visible
     (string-join
      (delq nil
            (list (plist-get call :title)
                  (plist-get detail :how)
                  (plist-get detail :command)
                  (plist-get detail :address)
                  (plist-get detail :plan)
                  (plimsoll--spending (plist-get detail :spend))
                  (plimsoll--other-address (plist-get detail :addressChange))
                  (plist-get (plist-get detail :confinement) :summary)
                  (plist-get detail :askedEachTime)
                  (plist-get detail :askedAgain)
                  (plist-get detail :diff)))
      "\n\n"))))

(defun plimsoll--spending (spend)
  "Return what was spent and what comes, by SPEND, or nil."
  (and spend
       (format "Spent %s of %s %s; the next request takes at least %s."
               (plist-get spend :spent) (plist-get spend :limit) (plist-get spend :unit)
               (plist-get spend :next))))

(defun plimsoll--other-address (change)
  "Return from where to where the address changes, by CHANGE, or nil."
  (and change (format "%s -> %s" (plist-get change :known) (plist-get change :now))))

(defun plimsoll--question-keys (question)
  "Return the line that says which key gives which answer to QUESTION."
  (let ((keys (cl-loop for (key kind) in '(("y" "allowOnce") ("s" "allowSession")
                                           ("a" "allowAlways") ("n" "rejectOnce"))
                       for option = (plimsoll--option question kind)
                       when option collect (format "%s: %s" key (plist-get option :name)))))
    (replace-regexp-in-string
     "%" "%%"
     (concat " " (string-join (append keys '("r: refuse with a reason")) "   ")
             (and (cdr (plimsoll--hunks question)) "   k: choose among the hunks")
             (and (plimsoll--plan question) "   e: change it first")))))

(defun plimsoll--option (question kind)
  "Return the answer of KIND that QUESTION offers, or nil."
  (cl-find kind (plimsoll-question-options question)
           :key (lambda (option) (plist-get option :kind)) :test #'equal))

(defun plimsoll--hunks (question)
  "Return the places of the change that QUESTION asks about."
  (plist-get (plist-get (plimsoll-question-call question) :detail) :hunks))

(defun plimsoll--plan (question)
  "Return the plan that QUESTION asks about, or nil."
  (plist-get (plist-get (plimsoll-question-call question) :detail) :plan))

(defun plimsoll--decide (kind &rest more)
  "Give the answer of KIND to the question of this buffer, with MORE fields."
  (let* ((question (or plimsoll--question (user-error "There is no question here")))
         (option (or (plimsoll--option question kind)
                     (user-error "That answer is not offered for this call"))))
    (plimsoll-rpc-answer
     (plimsoll-project-connection (plimsoll-question-project question))
     (plimsoll-question-id question)
     (append (list :outcome "selected" :optionId (plist-get option :optionId)) more))
    (plimsoll--close-question question)))

(defun plimsoll--close-question (question)
  "Show QUESTION no more, and the next one that waits."
  (setq plimsoll--questions (delq question plimsoll--questions))
  (let ((plan (get-buffer "*plimsoll: plan*")))
    (when (and plan (eq question (buffer-local-value 'plimsoll--question plan)))
      (with-current-buffer plan
        (setq plimsoll--question nil
              header-line-format " Nobody waits for this plan any more."))))
  (let ((buffer (get-buffer "*plimsoll: question*")))
    (when (and buffer (eq question (buffer-local-value 'plimsoll--question buffer)))
      (if plimsoll--questions
          (plimsoll--show-question (car plimsoll--questions))
        (with-current-buffer buffer (setq plimsoll--question nil))
        (let ((window (get-buffer-window buffer t)))
          (if window (quit-window t window) (kill-buffer buffer)))))))

(defun plimsoll-drop-questions (project update)
  "Close the questions of PROJECT that UPDATE says nobody waits for any more."
  (let ((ends (member (plist-get update :kind) '("turnEnded" "gap"))))
    (dolist (question (copy-sequence plimsoll--questions))
      (when (and (eq project (plimsoll-question-project question))
                 (or ends (and (equal (plist-get update :kind) "questionCancelled")
                               (equal (plist-get update :id) (plimsoll-question-id question)))))
        (plimsoll--close-question question)))))

(defun plimsoll-allow ()
  "Allow this call, this once."
  (interactive)
  (plimsoll--decide "allowOnce"))

(defun plimsoll-allow-for-session ()
  "Allow such calls for the rest of the session."
  (interactive)
  (plimsoll--decide "allowSession"))

(defun plimsoll-allow-always ()
  "Allow such calls in this folder for good."
  (interactive)
  (let ((option (or (and plimsoll--question (plimsoll--option plimsoll--question "allowAlways"))
                    (user-error "That answer is not offered for this call"))))
    (when (y-or-n-p (format "%s? It covers %s " (plist-get option :name)
                            (or (plist-get option :scope) "this call")))
      (plimsoll--decide "allowAlways"))))

(defun plimsoll-reject ()
  "Refuse this call."
  (interactive)
  (plimsoll--decide "rejectOnce"))

(defun plimsoll-reject-with-reason (reason)
  "Refuse this call for REASON, which the agent reads."
  (interactive (list (read-string "Why not: ")))
  (plimsoll--decide "rejectOnce" :reason reason))

(defun plimsoll-allow-hunks ()
  "Ask about each hunk of the change, and allow those that are kept."
  (interactive)
  (let* ((hunks (plimsoll--hunks (or plimsoll--question (user-error "Nothing is asked here"))))
         (kept (cl-loop for hunk in hunks
                        for number from 0
                        when (y-or-n-p (format "Keep hunk %d of %d, at line %d? " (1+ number)
                                               (length hunks)
                                               (1+ (plist-get (plist-get (plist-get hunk :range)
                                                                         :start)
                                                              :line))))
                        collect number)))
    (if kept
        (plimsoll--decide "allowOnce" :keptHunks (vconcat kept))
      (plimsoll--decide "rejectOnce"))))

(defvar plimsoll-plan-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'plimsoll-accept-plan)
    (define-key map (kbd "C-c C-k") #'quit-window)
    map)
  "Keys of a plan that is changed.")

(define-minor-mode plimsoll-plan-mode
  "Lets a plan of the agent be changed before it is accepted."
  :keymap plimsoll-plan-map)

(defun plimsoll-edit-plan ()
  "Change the plan that is asked about, before it is accepted."
  (interactive)
  (let* ((question (or plimsoll--question (user-error "Nothing is asked here")))
         (plan (or (plimsoll--plan question) (user-error "What is asked here is no plan"))))
    (with-current-buffer (get-buffer-create "*plimsoll: plan*")
      ;; What was changed before stays.
      (unless (eq question plimsoll--question)
        (erase-buffer)
        (text-mode)
        (insert plan)
        (goto-char (point-min))
        (setq plimsoll--question question
              header-line-format " C-c C-c: accept it as it stands here   C-c C-k: not now")
        (plimsoll-plan-mode 1))
      (pop-to-buffer (current-buffer)))))

(defun plimsoll-accept-plan ()
  "Accept the plan as it stands in this buffer."
  (interactive)
  (plimsoll--decide "allowOnce" :editedPlan (buffer-substring-no-properties (point-min) (point-max)))
  (quit-window t))

(provide 'plimsoll-approve)
;;; plimsoll-approve.el ends here
