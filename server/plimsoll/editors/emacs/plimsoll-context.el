;;; plimsoll-context.el --- The context, as a list  -*- lexical-binding: t -*-

;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Each row is an item of the next request with its tokens: it can be taken out, pinned and
;; brought back, and the last reduction can be undone.

;;; Code:

(require 'tabulated-list)
(require 'plimsoll-project)

(defvar-local plimsoll-context--receipts nil
  "The reductions of the session, as they were shown.")

(defvar plimsoll-context-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map "d" #'plimsoll-context-remove)
    (define-key map "r" #'plimsoll-context-restore)
    (define-key map "p" #'plimsoll-context-pin)
    (define-key map "u" #'plimsoll-context-undo)
    (define-key map (kbd "RET") #'plimsoll-context-explain)
    map)
  "Keys of the list of the context.")

(define-derived-mode plimsoll-context-mode tabulated-list-mode "Plimsoll-Context"
  "What the next request of the session carries.
\\{plimsoll-context-mode-map}"
  (setq tabulated-list-format [("Tokens" 8 plimsoll-context--heavier-p :right-align t)
                               ("Kind" 12 t) ("State" 11 t) ("Pin" 3 t) ("Item" 60 t)]
        tabulated-list-padding 1)
  (setq-local revert-buffer-function (lambda (&rest _) (plimsoll-context--fill)))
  (tabulated-list-init-header))

(defun plimsoll-context--heavier-p (one other)
  "Tell whether the row ONE has fewer tokens than OTHER."
  (< (string-to-number (aref (cadr one) 0)) (string-to-number (aref (cadr other) 0))))

;;;###autoload
(defun plimsoll-context ()
  "Show what is in the context, in a list."
  (interactive)
  (let ((project (plimsoll-need-project)))
    (with-current-buffer (get-buffer-create "*plimsoll: context*")
      (plimsoll-context-mode)
      (setq plimsoll-buffer-project project)
      (plimsoll-context--fill)
      (pop-to-buffer (current-buffer))
      (message "d: take out   r: bring back   p: pin   u: undo the last   RET: why   g: again"))))

(defun plimsoll-context--fill ()
  "Ask what is in the context, and show it in this buffer."
  (let* ((project (plimsoll-need-project))
         (report (plimsoll-ask project "plimsoll/context/report"
                               (plimsoll-of-session project :detail "detail")))
         (meter (plist-get report :meter)))
    (setq plimsoll-context--receipts (plist-get report :receipts)
          mode-name (format "Context: %d of %d tokens" (plist-get meter :used)
                            (plist-get meter :effective))
          tabulated-list-entries (mapcar #'plimsoll-context--row (plist-get report :items)))
    (plimsoll-set-meter project meter)
    (tabulated-list-print t)))

(defun plimsoll-context--row (item)
  "Return the row of ITEM."
  (list (plist-get item :id)
        (vector (number-to-string (plist-get item :tokens))
                (plist-get item :kind)
                (plist-get item :state)
                (if (plist-get item :pinned) "pin" "")
                (replace-regexp-in-string "[[:cntrl:]]+" " " (plist-get item :title)))))

(defun plimsoll-context--item ()
  "Return the id of the item of this row."
  (or (tabulated-list-get-id) (user-error "There is no item here")))

(defun plimsoll-context--do (method &rest params)
  "Send METHOD with PARAMS, and show what is in the context then."
  (let* ((project (plimsoll-need-project))
         (result (plimsoll-ask project method (apply #'plimsoll-of-session project params)))
         (receipt (plist-get result :receipt)))
    (plimsoll-context--fill)
    (if receipt
        (message "%d tokens became %d. %s" (plist-get receipt :tokensBefore)
                 (plist-get receipt :tokensAfter) (plist-get receipt :why))
      (message "Done."))))

(defun plimsoll-context-remove ()
  "Take the item of this row out of the context."
  (interactive)
  (plimsoll-context--do "plimsoll/context/evict" :itemIds (vector (plimsoll-context--item))))

(defun plimsoll-context-restore ()
  "Bring the item of this row back to its full text."
  (interactive)
  (plimsoll-context--do "plimsoll/context/restore" :itemIds (vector (plimsoll-context--item))))

(defun plimsoll-context-pin ()
  "Pin the item of this row: it never leaves."
  (interactive)
  (plimsoll-context--do "plimsoll/pin/add" :itemId (plimsoll-context--item)))

(defun plimsoll-context-undo ()
  "Undo the last reduction."
  (interactive)
  (let ((last (cl-find-if-not (lambda (receipt) (plist-get receipt :undone))
                              (reverse plimsoll-context--receipts))))
    (unless last (user-error "There is nothing to undo"))
    (plimsoll-context--do "plimsoll/context/undo" :editId (plist-get last :id))))

(defun plimsoll-context-explain ()
  "Say why the item of this row is here."
  (interactive)
  (let ((project (plimsoll-need-project)))
    (with-help-window "*plimsoll: item*"
      (princ (plist-get (plimsoll-ask project "plimsoll/context/explain"
                                      (plimsoll-of-session project
                                                           :itemId (plimsoll-context--item)))
                        :markdown)))))

(provide 'plimsoll-context)
;;; plimsoll-context.el ends here
